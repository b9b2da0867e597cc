import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { formatApiTime } from '#lib/time.ts';
import { stateAt } from './rules.ts';
import type { RotationRequestRecord } from './store.ts';

/** A request as the dashboard is shown it at `now`. */
export function describeRotationRequest(
  { request, key, lastFour, requestedBy, member }: RotationRequestRecord,
  now: Date,
): RotationRequest {
  return {
    uuid: request.uuid,
    api_key: { id: key.id, uuid: key.uuid, name: key.name, last_four: lastFour },
    requested_by: requestedBy,
    member: { id: member.id, name: member.name },
    reason: request.reason,
    note: request.note,
    state: stateAt(request, now),
    created_at: formatApiTime(request.createdAt),
    expires_at: formatApiTime(request.expiresAt),
    mailed_at: request.mailedAt && formatApiTime(request.mailedAt),
  };
}
