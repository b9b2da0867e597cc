import type { ActionResult } from '#lib/actions/action-result.ts';
import { errorTable } from '#lib/contract/error-codes.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';

/** Ends the session, if it has not ended, and deletes its cookie. Rejects without network. */
export async function endSessionHere(): Promise<ActionResult> {
  const response = await fetch('/session', { method: 'DELETE' });
  if (!response.ok) {
    return { ok: false, code: 'UNAVAILABLE', message: errorTable.UNAVAILABLE.message };
  }
  announceSessionChange();
  return { ok: true };
}

/** Leads to the sign-in page by a full page load, so that no data stays in memory. */
export function leaveForSignIn(): void {
  window.location.replace('/sign-in');
}
