import type {
  RequestAct,
  RequestObstacle,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { Act } from '#lib/contract/rights/roles.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { databaseLimits } from '../../limiter/limits.ts';
import { isExpired, scopesOfKey } from '../api-keys/rules.ts';
import type { DatedToken } from '../effects.ts';
import { ServiceError, invalid } from '../errors.ts';
import type { RotationRequestRecord } from './store/request-records.ts';

/** How long a request waits for the member it names. */
export const requestLifetimeMs = 72 * hourMs;

/** The act that a role must allow for each act on a webhook that members ask for. */
export const actsOnWebhooks = {
  regenerate_secret: 'webhooks.regenerate-secret',
  resume: 'webhooks.update',
} as const satisfies Record<Exclude<RequestAct, 'rotate'>, Act>;

type RequestedAct = Pick<RotationRequestRecord, 'memberRole' | 'support'> & {
  request: { act: RequestAct };
  key: (Parameters<typeof scopesOfKey>[0] & { expiresAt: Date | null }) | null;
};

/** Why an open request before its deadline can no longer be done; null if it can. */
export function obstacleOf(record: RequestedAct, now: Date): RequestObstacle | null {
  if (record.key && isExpired(record.key, now)) return 'key_expired';
  if (record.memberRole === null) return 'member_left';
  return mayStillBeAsked(record) ? null : 'member_may_not';
}

type Timed = { state: RotationRequestState; expiresAt: Date };

/** A request's state at `now`: an open one past its deadline has expired. */
export function stateAt({ state, expiresAt }: Timed, now: Date): RotationRequestState {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** Whether a leak can do no more harm: what is valid did not exist when it was reported. */
export function isLeakReportFinished(
  report: { createdAt: Date },
  validTokens: readonly DatedToken[],
): boolean {
  return validTokens.every(
    ({ createdAt, replacedUnusedAt }) => (replacedUnusedAt ?? createdAt) > report.createdAt,
  );
}

/** Whether a member can be asked to rotate a key with these scopes; null: not a member. */
export function mayBeAsked(member: MemberRights | null, scopes: readonly Scope[]): boolean {
  return member !== null && mayBeShown(member, scopes);
}

/** Whether the named member of a request can still do it. */
function mayStillBeAsked(record: RequestedAct): boolean {
  const { request, key, memberRole: role, support } = record;
  if (key) return mayBeAsked(role && { role, support }, scopesOfKey(key));
  return role !== null && request.act !== 'rotate' && mayAct(role, actsOnWebhooks[request.act]);
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
    customMessage: `You can revoke ${maxLeakRevocations} reported keys in 24 hours. You have reached that limit. Ask an owner, an admin or someone else in support to revoke this one.`,
  });
}

/** @throws ServiceError VALIDATION_ERROR: `details.rotation_request` says how it ended */
export function refuseClosedRequest(request: Timed & { act: RequestAct }, now: Date): void {
  const state = stateAt(request, now);
  if (state === 'open') return;
  throw invalid(
    'rotation_request',
    {
      done: {
        rotate: 'The key was rotated after this request.',
        regenerate_secret: 'The secret was regenerated after this request.',
        resume: 'The webhook was resumed after this request.',
      }[request.act],
      withdrawn: 'This request was withdrawn.',
      declined: 'This request was declined.',
      revoked: 'The key was revoked after this request.',
      expired: `This request expired at ${formatApiTime(request.expiresAt)}. Ask again.`,
    }[state],
  );
}
