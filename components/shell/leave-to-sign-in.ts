import type { ActionFailure } from '#lib/actions/action-result.ts';
import { signInPath } from '#lib/sign-in-path.ts';

/** Whether the session is over; then the way to the door, which leads back here, is begun. */
export function leavesToSignIn({ code }: Pick<ActionFailure, 'code'>): boolean {
  if (code !== 'UNAUTHORIZED') return false;
  window.location.assign(signInPath(window.location.pathname + window.location.search));
  return true;
}
