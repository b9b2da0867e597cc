import type { z } from 'zod';
import {
  errorTable,
  unauthenticatedMessage,
  type ErrorCode,
  type ErrorDetails,
} from '#lib/contract/error-codes.ts';
import type { ErrorEnvelope } from '#lib/contract/error-envelope.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { errorBody } from '../errors/error-response.ts';
import { invalidFields, ServiceError } from '../../domain/errors.ts';
import { checkInput, checkQuery, type CheckedInput } from '../input/check-input.ts';
import { headers, headersAfterAuthentication } from './headers.ts';
import type { JsonObject, Schemas } from './schemas.ts';

const error = { $ref: '#/components/schemas/Error' };

/** The refusals that all operations share, as components of the document. */
export const responseComponents: Record<string, JsonObject> = {
  UNAUTHORIZED: {
    description:
      'The request has no key, the key is unknown, revoked or expired, or the token has ended. The response is the same for every reason; only a missing key has a body of its own.',
    headers: headers('X-Request-Id', 'WWW-Authenticate'),
    content: {
      'application/json': {
        schema: { anyOf: [error, { $ref: '#/components/schemas/Unauthenticated' }] },
        examples: {
          invalid: {
            summary: 'The key is not valid',
            value: errorBody(new ServiceError('UNAUTHORIZED')),
          },
          missing: {
            summary: 'The request has no key',
            value: { message: unauthenticatedMessage },
          },
        },
      },
    },
  },
  FORBIDDEN: refusal('FORBIDDEN', {
    headers: headers(...headersAfterAuthentication, 'WWW-Authenticate'),
    description:
      'The key lacks the scope, or may not be used from this address; the request reaches beyond the scopes, expiry, networks or rate limit of the key; the key may not rotate itself; or its token is in its grace period and may not create, change, rotate or revoke keys.',
  }),
  NOT_FOUND: refusal('NOT_FOUND', {
    description: 'It does not exist in the account of the key.',
  }),
  METHOD_NOT_ALLOWED: refusal('METHOD_NOT_ALLOWED', {
    description: 'The path does not support the method. `Allow` lists those it does.',
    headers: headers(...headersAfterAuthentication, 'Allow'),
  }),
  PAYLOAD_TOO_LARGE: refusal('PAYLOAD_TOO_LARGE', {
    description: 'The body is larger than 1 MiB.',
  }),
  UNSUPPORTED_MEDIA_TYPE: refusal('UNSUPPORTED_MEDIA_TYPE', {
    description: 'The content type of the body is not JSON in UTF-8, or the body is compressed.',
  }),
  RATE_LIMIT_EXCEEDED: refusal('RATE_LIMIT_EXCEEDED', {
    description:
      'A rate limit was reached: calls of the key or of its account in a minute, calls of one operation, keys and webhooks created in an hour, or failed authentications from the address. For the last, `RateLimit`, `RateLimit-Policy` and `API-Key-Expires` are absent. Wait `retry_after` seconds.',
    headers: headers(...headersAfterAuthentication, 'Retry-After'),
    example: errorBody(new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 60 })),
  }),
  INTERNAL_ERROR: refusal('INTERNAL_ERROR', {
    description: 'Something went wrong in the service. Include the request id when you report it.',
  }),
  UNAVAILABLE: refusal('UNAVAILABLE', {
    description:
      'The service cannot use its database right now, or is working on as many calls or bodies as it can. Try again after the seconds that `Retry-After` gives. The change may have been made anyway, so send an `Idempotency-Key` where the operation takes one.',
    headers: headers(...headersAfterAuthentication, 'Retry-After'),
  }),
} satisfies Record<
  Exclude<ErrorCode, 'VALIDATION_ERROR' | 'PROOF_REQUIRED' | 'SESSION_RENEWED' | UnreadableCode>,
  JsonObject
>;

/** Refusals of requests that cannot be read, and so belong to no operation. */
type UnreadableCode = 'BAD_REQUEST' | 'REQUEST_TIMEOUT' | 'HEADERS_TOO_LARGE';

/** All refusals of an operation, by status. */
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
        description:
          'The input is not valid, or the state of the resource does not allow the operation. `details` has the messages for each field.',
        example: errorBody(invalidFields(details)),
      }),
    }),
  };
}

function refusal(
  code: ErrorCode,
  {
    description,
    headers: own,
    example = errorBody(new ServiceError(code)),
  }: { description: string; headers?: JsonObject; example?: ErrorEnvelope },
): JsonObject {
  return {
    description,
    headers: own ?? headers(...headersAfterAuthentication),
    content: { 'application/json': { schema: error, example } },
  };
}

/**
 * Example `details` of the 422 of an operation, as the service words them: for an empty body, or
 * for one invalid field or unknown parameter. Null for an operation that accepts any input.
 */
function exampleDetails(route: RouteDefinition, schemas: Schemas): ErrorDetails | null {
  const { body, query, stateRefusal } = route;
  if (stateRefusal) {
    return Object.fromEntries(
      Object.entries(stateRefusal).map(([field, messages]) => [field, [...messages]]),
    );
  }
  if (body) {
    const inputs = [{}, ...withOneFieldWrong(body, { value: [], schemas })];
    return firstRefusal(inputs, (input) => checkInput(body, input));
  }
  if (query) {
    const inputs = [
      ...withOneFieldWrong(query, { value: 'everything', schemas }),
      { sort: 'name' },
    ];
    return firstRefusal(inputs, (input) => checkQuery(query, input));
  }
  return null;
}

function withOneFieldWrong(
  schema: z.ZodType,
  { value, schemas }: { value: unknown; schemas: Schemas },
): unknown[] {
  return schemas.inputFields(schema).map(({ name }) => ({ [name]: value }));
}

function firstRefusal(
  inputs: unknown[],
  check: (input: unknown) => CheckedInput,
): ErrorDetails | null {
  for (const input of inputs) {
    const checked = check(input);
    if ('details' in checked) return checked.details;
  }
  return null;
}
