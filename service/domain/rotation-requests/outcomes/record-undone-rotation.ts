import type { Tx } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findFulfilledRequest } from '../store/requests.ts';

/**
 * Records that the rotation that fulfilled a request was undone. The request stays done, because
 * the person who made it was told so. The key must be locked.
 *
 * @param about `rotatedAt`: when the undone rotation made its token
 */
export async function recordUndoneRotation(
  tx: Tx,
  actor: Actor,
  about: { key: { accountId: string; id: number; name: string }; rotatedAt: Date; now: Date },
): Promise<void> {
  const { key, rotatedAt, now } = about;
  const request = await findFulfilledRequest(tx, key, rotatedAt);
  if (!request) return;
  await recordAudit(tx, {
    actor,
    action: 'rotation_request.rotation_undone',
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name: key.name },
  });
}
