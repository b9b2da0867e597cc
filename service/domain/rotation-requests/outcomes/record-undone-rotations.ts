import type { Tx } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { listFulfilledRequests } from '../store/requests.ts';

/**
 * Records that rotations that fulfilled requests were undone. The requests stay done, because the
 * people who made them were told so. The key must be locked.
 *
 * @param options `rotatedAt`: when each of the undone rotations made its token
 */
export async function recordUndoneRotations(
  tx: Tx,
  actor: Actor,
  {
    key,
    rotatedAt,
    now,
  }: {
    key: { accountId: string; id: number; name: string };
    rotatedAt: readonly Date[];
    now: Date;
  },
): Promise<void> {
  for (const request of await listFulfilledRequests(tx, key, rotatedAt)) {
    await recordAudit(tx, {
      actor,
      action: 'rotation_request.rotation_undone',
      at: now,
      target: { kind: 'rotation_request', id: request.uuid, name: key.name },
    });
  }
}
