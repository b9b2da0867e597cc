import 'server-only';
import { ApiError } from '#lib/api/api-error.ts';

/** `fallback` if the service fails, so that sign-in pages open; their forms then show the error. */
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
