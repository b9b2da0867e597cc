import type { Call } from '../call.ts';
import type { z } from 'zod';
import { invalid, invalidFields } from '../../domain/errors.ts';
import { checkQuery } from './check-input.ts';

/** Longer than any path parameter: an integer, a UUID, or the id of a session. */
const maxReferenceLength = 64;

const maxIdempotencyKeyLength = 255;

/**
 * Reads the path parameters. A parameter that cannot name anything, because it is too long or
 * contains NUL, is read as an empty name, so that it later gets the response for a resource that
 * does not exist.
 */
export function readParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, canNameSomething(value) ? value : '']),
  );
}

function canNameSomething(value: string): boolean {
  return value.length <= maxReferenceLength && !value.includes('\0');
}

/**
 * Parses the query string with the route's schema. If a parameter is given twice, the first one
 * counts.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export function readQuery(call: Call, schema: z.ZodType): unknown {
  const checked = checkQuery(schema, call.query);
  if ('parsed' in checked) return checked.parsed;
  throw invalidFields(checked.details);
}

/**
 * Reads the `Idempotency-Key` of the request; null if it has none.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export function readIdempotencyKey(call: Call): string | null {
  const key = call.header('Idempotency-Key');
  if (key === undefined) return null;
  if (key.length <= maxIdempotencyKeyLength && /^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid(
    'Idempotency-Key',
    `Use 1 to ${maxIdempotencyKeyLength} visible ASCII characters without spaces.`,
  );
}
