import type {
  RequestObstacle,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { databaseLimits } from '../../limiter/limits.ts';
import { isExpired, scopesOfKey } from '../api-keys/rules.ts';
import { ServiceError, invalid } from '../errors.ts';
import type { RotationRequestRecord } from './store/request-records.ts';

/** How long a request waits for the member it names. */
export const requestLifetimeMs = 72 * hourMs;

type RequestedRotation = Pick<RotationRequestRecord, 'memberRole' | 'support'> & {
  key: Parameters<typeof scopesOfKey>[0];
};

/**
 * The reason why an open request can no longer be done at `now`, although its deadline is not over;
 * null if it can be done.
 */
export function obstacleOf(
  record: RequestedRotation & { key: { expiresAt: Date | null } },
  now: Date,
): RequestObstacle | null {
  if (isExpired(record.key, now)) return 'key_expired';
  if (record.memberRole === null) return 'member_left';
  return mayStillBeAsked(record) ? null : 'member_may_not';
}

type Timed = { state: RotationRequestState; expiresAt: Date };

/** A request's state at `now`: an open one past its deadline has expired. */
export function stateAt({ state, expiresAt }: Timed, now: Date): RotationRequestState {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** A token's row, with the time at which its present token replaced an unused one, if it did. */
export type DatedToken = { createdAt: Date; replacedUnusedAt: Date | null };

/**
 * Whether a reported leak can do no more harm: none of the key's valid tokens existed when it was
 * reported.
 */
export function isLeakReportFinished(
  report: { createdAt: Date },
  validTokens: readonly DatedToken[],
): boolean {
  return validTokens.every(
    ({ createdAt, replacedUnusedAt }) => (replacedUnusedAt ?? createdAt) > report.createdAt,
  );
}

/**
 * Whether a member can be asked to rotate a key with these scopes; null stands for a person who is
 * not a member.
 */
export function mayBeAsked(member: MemberRights | null, scopes: readonly Scope[]): boolean {
  return member !== null && mayBeShown(member, scopes);
}

/** Whether the named member of a request can still rotate its key. */
function mayStillBeAsked(record: RequestedRotation): boolean {
  const { key, memberRole: role, support } = record;
  return mayBeAsked(role && { role, support }, scopesOfKey(key));
}

const { size, windowSeconds } = databaseLimits['leak-revocation'];

export const maxLeakRevocations = size;

/** The period in which a person can revoke at most that many keys because they reported a leak. */
export const revocationPeriodMs = windowSeconds * 1000;

/**
 * @param earlier when they revoked such keys within the period, latest first
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the seconds until they can revoke another
 */
export function refuseManyLeakRevocations(earlier: readonly Date[], now: Date): void {
  const oldest = earlier[maxLeakRevocations - 1];
  if (!oldest) return;
  throw new ServiceError('RATE_LIMIT_EXCEEDED', {
    retryAfterSeconds: Math.ceil((oldest.getTime() + revocationPeriodMs - now.getTime()) / 1000),
    customMessage: `You have revoked ${maxLeakRevocations} leaked keys within 24 hours, which is the limit. Ask an owner or an admin to revoke this one.`,
  });
}

/**
 * @throws ServiceError VALIDATION_ERROR with `details.rotation_request` that says how the request
 *   ended
 */
export function refuseClosedRequest(request: Timed, now: Date): void {
  const state = stateAt(request, now);
  if (state === 'open') return;
  throw invalid(
    'rotation_request',
    {
      done: 'The key was rotated after this request.',
      withdrawn: 'This request was withdrawn.',
      declined: 'This request was declined.',
      revoked: 'The key was revoked after this request.',
      expired: `This request expired at ${formatApiTime(request.expiresAt)}. Ask again.`,
    }[state],
  );
}
