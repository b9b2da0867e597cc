import 'server-only';

import { ApiError } from '#lib/api/api-error.ts';

/**
 * Gives `fallback` if the service cannot be reached or answers with an error, so that the sign-in and
 * set-up pages open all the same. Their forms then show the error when they are sent.
 */
export async function fallbackIfUnavailable<Value>(
  value: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof ApiError) return fallback;
    throw error;
  }
}
