import type { Tx } from '../../../db/open.ts';
import { actorReference } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { stateAt } from '../rules.ts';
import { closeRequestRow, lockOpenRequests } from '../store/requests.ts';
import type { RotationRequestRow } from '../store/requests.ts';

/**
 * Closes the open requests of a key in the transaction that rotates or revokes the key, whoever
 * does that and for whatever reason. The key must be locked.
 *
 * @returns the requests that this closes
 */
export async function closeOpenRequests(
  tx: Tx,
  actor: Actor,
  about: {
    key: { accountId: string; id: number; name: string };
    state: 'done' | 'revoked';
    now: Date;
  },
): Promise<RotationRequestRow[]> {
  const { key, state, now } = about;
  const closed: RotationRequestRow[] = [];
  for (const request of await lockOpenRequests(tx, key)) {
    if (stateAt(request, now) === 'expired') {
      await closeRequestRow(tx, request, { state: 'expired', closedAt: now, closedBy: null });
      continue;
    }
    await closeRequestRow(tx, request, { state, closedAt: now, closedBy: actorReference(actor) });
    await recordAudit(tx, {
      actor,
      action: `rotation_request.${state}`,
      at: now,
      target: { kind: 'rotation_request', id: request.uuid, name: key.name },
    });
    closed.push(request);
  }
  return closed;
}
