import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { formatApiTime } from '#lib/time.ts';
import { obstacleOf, stateAt } from './rules.ts';
import { targetOf } from './store/request-records.ts';
import type { RotationRequestRecord } from './store/request-records.ts';

/**
 * A request as the dashboard shows it at `now`. A request that can no longer be done counts as
 * expired, even before that is stored.
 */
export function describeRotationRequest(record: RotationRequestRecord, now: Date): RotationRequest {
  const { request, lastFour, requestedBy, member } = record;
  const { id, uuid, name } = targetOf(record);
  const isWaiting = stateAt(request, now) === 'open';
  const obstacle = isWaiting ? obstacleOf(record, now) : request.closedBecause;
  const state = isWaiting && obstacle !== null ? 'expired' : stateAt(request, now);
  const closedAt =
    request.closedAt ?? (state === 'expired' && !isWaiting ? request.expiresAt : null);
  return {
    uuid: request.uuid,
    act: request.act,
    target: { id, uuid, name, last_four: lastFour },
    requested_by: { id: requestedBy.id, name: requestedBy.name },
    member: { id: member.id, name: member.name },
    reason: request.reason,
    note: request.note,
    state,
    created_at: formatApiTime(request.createdAt),
    expires_at: formatApiTime(request.expiresAt),
    mailed_at: request.mailedAt && formatApiTime(request.mailedAt),
    closed_at: closedAt && formatApiTime(closedAt),
    closed_by: request.closedBy?.kind === 'system' ? null : (request.closedBy?.name ?? null),
    closed_because: obstacle,
    decline: request.declineReason && {
      reason: request.declineReason,
      message: request.declineMessage,
    },
  };
}
