import type { RequestObstacle } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { stateAt } from '../rules.ts';
import { listStoredOpenRequestsOf, targetOf } from '../store/request-records.ts';
import { closeRequestRow } from '../store/requests.ts';

/**
 * Withdraws the open requests of a person who leaves the account: those they made, and those that
 * name them. The latter must not block another request, because a key has one open request at a
 * time, and so has a webhook for each act, apart from reports of a leak.
 */
export async function closeRequestsOfMember(
  tx: Tx,
  {
    accountId,
    personId,
    requesterBecause = 'requester_left',
    by,
    origin,
    now,
  }: {
    accountId: AccountId;
    personId: string;
    /** Why those requests are withdrawn that they made. */
    requesterBecause?: RequestObstacle;
    by: ActorReference;
    origin: Origin | null;
    now: Date;
  },
): Promise<void> {
  for (const record of await listStoredOpenRequestsOf(tx, accountId, personId)) {
    const { request } = record;
    if (stateAt(request, now) === 'expired') continue;
    await closeRequestRow(tx, request, {
      state: 'withdrawn',
      closedAt: now,
      closedBy: by,
      closedBecause: request.requestedById === personId ? requesterBecause : 'member_left',
    });
    await recordAudit(tx, {
      accountId,
      by,
      origin,
      action: 'rotation_request.withdrawn',
      at: now,
      target: { kind: 'rotation_request', id: request.uuid, name: targetOf(record).name },
    });
  }
}
