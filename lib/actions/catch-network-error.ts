import { errorTable } from '../contract/error-codes.ts';
import type { ActionFailure } from './action-result.ts';

/**
 * The result of a server action, or UNAVAILABLE if there is no network. Without network the call
 * rejects, which would replace the page, and what was typed, with an error page.
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
