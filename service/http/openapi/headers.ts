import type { JsonObject } from './schemas.ts';

/** What the API says in headers, as components of the document. */
export const headerComponents = {
  'X-Request-Id': {
    description:
      'Names the request, in the log and the audit log too. One the client sent is kept if it is a plain word of up to 64 characters.',
    required: true,
    schema: { type: 'string' },
    example: '0d4f7a7e-3f1b-4bb0-8f5a-5b8f3a6f2c11',
  },
  'RateLimit-Policy': {
    description:
      'How many calls (`q`) may be made in how many seconds (`w`): by the key (`"default"`), or by all keys of its account together (`"account"`). Of the two, the one that has less left. Where creating keys and webhooks is refused, how many of them the key (`"creations"`) or its account (`"account-creations"`) may create.',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'How many calls the limit of `RateLimit-Policy` leaves (`r`) and in how many seconds its window ends (`t`).',
    schema: { type: 'string' },
    example: '"default";r=599;t=60',
  },
  'API-Key-Expires': {
    description:
      'When the token of this request stops working: it was replaced by a newer one, or its key expires. Left out if neither is so.',
    schema: { $ref: '#/components/schemas/Timestamp' },
    example: '2026-11-21T10:29:17.123+00:00',
  },
  'Retry-After': {
    description: 'Seconds to wait, the same as `retry_after` in the body.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'WWW-Authenticate': {
    description: '`Bearer`, with `error="invalid_token"` if a key was sent.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  Allow: {
    description: 'The methods the path has.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, PATCH, DELETE',
  },
} as const;

type HeaderName = keyof typeof headerComponents;

/** On every answer to a caller who was let in. */
export const headersForTheAdmitted = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'API-Key-Expires',
] as const satisfies HeaderName[];

export function headers(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
