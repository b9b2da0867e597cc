import 'server-only';

import { ApiError } from '#lib/api/api-error.ts';

/** With the service out of reach a page at the door still stands; what is pressed there says what is wrong. */
export async function orWithout<Value>(asked: Promise<Value>, without: Value): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError) return without;
    throw error;
  }
}
