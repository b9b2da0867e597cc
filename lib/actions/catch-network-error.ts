import { errorTable } from '../contract/error-codes.ts';
import type { ActionFailure } from './action-result.ts';

/**
 * A server action's result as a browser must take it: without network the call itself rejects, and
 * left alone that would replace the page and what was typed into it.
 */
export async function catchNetworkError<Result>(
  call: Promise<Result>,
): Promise<Result | ActionFailure> {
  return await call.catch(() => ({
    ok: false as const,
    code: 'UNAVAILABLE' as const,
    message: errorTable.UNAVAILABLE.message,
  }));
}
