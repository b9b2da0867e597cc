import type { Call } from '../call.ts';
import type { z } from 'zod';
import { invalid, invalidFields } from '../../domain/errors.ts';
import { idempotencyKey, pathParameter } from '#lib/contract/route-input.ts';
import { checkQuery } from './check-input.ts';

/**
 * Reads the path parameters. A parameter that cannot name anything, because it is too long or
 * contains NUL, is read as an empty name, so that it later gets the response for a resource that
 * does not exist.
 */
export function readParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const { success } = pathParameter.safeParse(value);
      return [name, success ? value : ''];
    }),
  );
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
  const { error } = idempotencyKey.safeParse(key);
  if (!error) return key;
  throw invalid('Idempotency-Key', error.issues[0]?.message ?? '', 'idempotency_key');
}
