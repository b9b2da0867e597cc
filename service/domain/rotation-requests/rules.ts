import type { RotationRequestState } from '#lib/contract/rotation-reasons.ts';
import { mayAct } from '#lib/contract/roles.ts';
import type { Role } from '#lib/contract/roles.ts';
import { formatApiTime } from '#lib/time.ts';
import { isWithinRole } from '../api-keys/rules.ts';
import { invalid } from '../errors.ts';

/** How long a request waits for the member it names. */
export const requestLifetimeMs = 72 * 3_600_000;

/** How many mails one member gets about one key within `mailPeriodMs`, whoever asks them. */
export const mostMails = 3;
export const mailPeriodMs = 24 * 3_600_000;

type Timed = { state: RotationRequestState; expiresAt: Date };

/** A request's state at `now`: an open one past its deadline has expired. */
export function stateAt({ state, expiresAt }: Timed, now: Date): RotationRequestState {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** Whether a member with this role can be asked to rotate a key; null stands for no member. */
export function mayBeAsked(role: Role | null, key: Parameters<typeof isWithinRole>[0]): boolean {
  return role !== null && mayAct(role, 'api-keys.rotate') && isWithinRole(key, role);
}

/** @throws ServiceError VALIDATION_ERROR with `details.rotation_request` that says what became of it */
export function refuseClosedRequest(request: Timed, now: Date): void {
  const state = stateAt(request, now);
  if (state === 'open') return;
  throw invalid(
    'rotation_request',
    {
      done: 'The key was rotated since this was asked.',
      withdrawn: 'This request was withdrawn.',
      declined: 'This request was declined.',
      revoked: 'The key was revoked since this was asked.',
      expired: `This request ended at ${formatApiTime(request.expiresAt)}. Ask again.`,
    }[state],
  );
}
