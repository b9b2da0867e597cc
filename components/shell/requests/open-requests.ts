import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/** The open requests about a key or webhook: reports of a leak first, then the person's own. */
export function findOpenRequests(
  { uuid }: { uuid: string },
  {
    requests,
    personId,
    now,
  }: { requests: readonly RotationRequest[]; personId: string; now: Date },
): RotationRequest[] {
  const urgency = ({ reason, requested_by: requester, member }: RotationRequest) =>
    (reason === 'leaked' ? 2 : 0) + ([requester.id, member.id].includes(personId) ? 1 : 0);
  return requests
    .filter((request) => request.target.uuid === uuid && isRequestOpen(request, now))
    .toSorted((a, b) => urgency(b) - urgency(a));
}

/** Whether a request is open at `now`. It may have expired after it was read. */
export function isRequestOpen({ state, expires_at: end }: RotationRequest, now: Date): boolean {
  return state === 'open' && Date.parse(end) > now.getTime();
}

/** Why an old token or secret should end immediately. */
export type EndReason = 'leaked' | 'left';

/** Why the old token or secret should end immediately, from the requests to replace it. */
export function endReasonOf(
  requests: readonly Pick<RotationRequest, 'reason'>[],
): EndReason | null {
  const reasons = requests.map(({ reason }) => reason);
  if (reasons.includes('leaked')) return 'leaked';
  return reasons.includes('left') ? 'left' : null;
}
