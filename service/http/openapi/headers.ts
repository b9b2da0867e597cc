import type { JsonObject } from './schemas.ts';

/** The headers of the API, as components of the document. */
export const headerComponents = {
  'X-Request-Id': {
    description:
      'Identifies the request, also in the log and in the audit log: the one you sent, if it is 1 to 64 letters, digits, `_` or `-`, otherwise one that the service generated.',
    required: true,
    schema: { type: 'string' },
    example: '0d4f7a7e-3f1b-4bb0-8f5a-5b8f3a6f2c11',
  },
  'RateLimit-Policy': {
    description:
      'How many calls (`q`) are allowed in how many seconds (`w`): to the key (`"default"`) or to all keys of its account together (`"account"`), the limit with fewer calls left. On a 429 for creating keys and webhooks: how many of them the key (`"creations"`) or its account (`"account-creations"`) may create. On a 429 for test events: how many the webhook may be sent (`"tests"`). On a 429 for a retry: how many the delivery may get (`"retries"`). On a 429 for exports of the audit log: how many the account may make (`"exports"`).',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'How many calls are left (`r`) under the limit in `RateLimit-Policy`, and in how many seconds its window ends (`t`).',
    schema: { type: 'string' },
    example: '"default";r=599;t=60',
  },
  'API-Key-Expires': {
    description:
      'When the token of this request stops working, because it was replaced by a newer one or its key expires. Absent if neither applies.',
    schema: { $ref: '#/components/schemas/Timestamp' },
    example: '2026-11-21T10:29:17.123+00:00',
  },
  'Retry-After': {
    description:
      'How many seconds to wait. On a 429, the same number as `retry_after` in the body.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'WWW-Authenticate': {
    description:
      'With a 401, `Bearer`, and `error="invalid_token"` if a key was sent. With a 403 for the reason `scope`, `Bearer error="insufficient_scope"` and the scope that the operation requires (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  ETag: {
    description:
      'Names this content of the response. Send it as `If-None-Match` to get the response again only once it has changed.',
    required: true,
    schema: { type: 'string' },
    example: 'W/"Qb3i7qzGzT1y3bL6yq0nJ8c0m4Zr2pXk5vT9sWd1eF0"',
  },
  'X-Total-Count': {
    description: 'How many entries the whole export has.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1204,
  },
  'Content-Disposition': {
    description: 'Suggests a name for the downloaded file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="audit-log-2026-11-20.csv"',
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, PATCH, DELETE',
  },
} as const;

type HeaderName = keyof typeof headerComponents;

/** On every response to an authenticated caller. */
export const headersAfterAuthentication = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'API-Key-Expires',
] as const satisfies HeaderName[];

export function headers(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
