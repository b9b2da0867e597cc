import 'server-only';
import { ApiError } from '#lib/api/api-error.ts';

/**
 * Returns `fallback` if the service cannot be reached or responds with an error, so that the
 * sign-in and set-up pages still open. Their forms show the error when they are submitted.
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
