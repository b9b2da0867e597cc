import { errorTable, unauthenticatedMessage } from '#lib/contract/error-codes.ts';
import type { ErrorCode, ErrorDetails } from '#lib/contract/error-codes.ts';
import type { ErrorEnvelope } from '#lib/contract/errors.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { headers, headersForTheAdmitted } from './headers.ts';
import { exampleDetails } from './example-details.ts';
import type { JsonObject, Schemas } from './schemas.ts';

const error = { $ref: '#/components/schemas/Error' };

/** The refusals that are the same on every operation, as components of the document. */
export const responseComponents: Record<string, JsonObject> = {
  UNAUTHORIZED: {
    description: 'There is no key, or it is invalid, revoked, expired or past its grace period.',
    headers: headers('X-Request-Id', 'WWW-Authenticate'),
    content: {
      'application/json': {
        schema: { anyOf: [error, { $ref: '#/components/schemas/Unauthenticated' }] },
        examples: {
          invalid: {
            summary: 'The key is not valid, for whatever reason',
            value: envelope('UNAUTHORIZED'),
          },
          missing: { summary: 'There is no key', value: { message: unauthenticatedMessage } },
        },
      },
    },
  },
  FORBIDDEN: refusal('FORBIDDEN', {
    description:
      'The key lacks the scope, may not be used from this address, or would reach beyond its own scopes, expiry or networks.',
  }),
  NOT_FOUND: refusal('NOT_FOUND', {
    description: 'There is no such thing in the account of the key.',
  }),
  METHOD_NOT_ALLOWED: refusal('METHOD_NOT_ALLOWED', {
    description: 'The path was called with a method it does not have.',
    headers: headers(...headersForTheAdmitted, 'Allow'),
  }),
  PAYLOAD_TOO_LARGE: refusal('PAYLOAD_TOO_LARGE', {
    description: 'The body is larger than 1 MiB.',
  }),
  UNSUPPORTED_MEDIA_TYPE: refusal('UNSUPPORTED_MEDIA_TYPE', {
    description: 'The body is not JSON by its content type, or is compressed.',
  }),
  RATE_LIMIT_EXCEEDED: refusal('RATE_LIMIT_EXCEEDED', {
    description:
      'The key, or all keys of its account together, made too many calls in a minute, or too many of the few that an operation allows, or created too many keys and webhooks in an hour, or the address failed to authenticate too often; `RateLimit` and `RateLimit-Policy` are left out on the last.',
    headers: headers('X-Request-Id', 'Retry-After', 'RateLimit-Policy', 'RateLimit'),
  }),
  INTERNAL_ERROR: refusal('INTERNAL_ERROR', {
    description: 'Something went wrong in the service. Name the request id when you ask about it.',
    headers: headers('X-Request-Id'),
  }),
  UNAVAILABLE: refusal('UNAVAILABLE', {
    description:
      'The database is away, starting or full. The same request may succeed soon: after the seconds that `Retry-After` says. Whether a change that was answered so has been made is unknown.',
    headers: headers('X-Request-Id', 'Retry-After'),
  }),
} satisfies Record<
  Exclude<ErrorCode, 'VALIDATION_ERROR' | 'PROOF_REQUIRED' | 'SESSION_RENEWED'>,
  JsonObject
>;

/** Every way in which an operation can be refused, by status. */
export function refusalsOf(route: RouteDefinition, schemas: Schemas): JsonObject {
  const codes: ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN'];
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  codes.push('METHOD_NOT_ALLOWED');
  if (route.body) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  codes.push('RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'UNAVAILABLE');
  const details = exampleDetails(route, schemas);
  return {
    ...Object.fromEntries(
      codes.map((code) => [errorTable[code].status, { $ref: `#/components/responses/${code}` }]),
    ),
    ...(details && {
      [errorTable.VALIDATION_ERROR.status]: refusal('VALIDATION_ERROR', {
        description: 'Input fails validation, or the state of things does not allow it.',
        example: envelope('VALIDATION_ERROR', details),
      }),
    }),
  };
}

function refusal(
  code: ErrorCode,
  about: { description: string; headers?: JsonObject; example?: ErrorEnvelope },
): JsonObject {
  const { description, headers: own, example = envelope(code) } = about;
  return {
    description,
    headers: own ?? headers(...headersForTheAdmitted),
    content: { 'application/json': { schema: error, example } },
  };
}

function envelope(code: ErrorCode, details?: ErrorDetails): ErrorEnvelope {
  return {
    success: false,
    error: {
      code,
      message: errorTable[code].message,
      ...(details && { details }),
      ...(code === 'RATE_LIMIT_EXCEEDED' && { retry_after: 60 }),
    },
  };
}
