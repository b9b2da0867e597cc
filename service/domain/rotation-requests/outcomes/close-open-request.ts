import type { RotationReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Tx } from '../../../db/open.ts';
import { actorReference } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { stateAt } from '../rules.ts';
import { closeRequestRow, lockOpenRequest } from '../store/requests.ts';

/**
 * Closes the open request of a key, if there is one, in the transaction that rotates or revokes the
 * key, whoever does that and for whatever reason. The key must be locked.
 *
 * @returns the request that this closes; null if none was open
 */
export async function closeOpenRequest(
  tx: Tx,
  actor: Actor,
  about: {
    key: { accountId: string; id: number; name: string };
    state: 'done' | 'revoked';
    now: Date;
  },
): Promise<{ reason: RotationReason } | null> {
  const { key, state, now } = about;
  const request = await lockOpenRequest(tx, key);
  if (!request) return null;
  if (stateAt(request, now) === 'expired') {
    await closeRequestRow(tx, request, { state: 'expired', closedAt: now, closedBy: null });
    return null;
  }
  await closeRequestRow(tx, request, { state, closedAt: now, closedBy: actorReference(actor) });
  await recordAudit(tx, {
    actor,
    action: `rotation_request.${state}`,
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name: key.name },
  });
  return request;
}
