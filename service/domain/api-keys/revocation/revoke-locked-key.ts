import { actorReference } from '../../actor.ts';
import type { Actor, OperatorActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { closeOpenRequests } from '../../rotation-requests/outcomes/close-open-requests.ts';
import { updateApiKeyRow } from '../store/keys.ts';
import type { LockedApiKey } from '../locked/with-locked-api-key.ts';

/**
 * Revokes a locked key as part of a change; does nothing if the key is already revoked. Also closes
 * the key's open rotation requests.
 */
export async function revokeLockedKey(
  actor: Actor | OperatorActor,
  {
    tx,
    key,
    now,
    reason,
    incident,
  }: Pick<LockedApiKey, 'tx' | 'key' | 'now'> & {
    reason: string | null;
    incident?: { uuid: string };
  },
): Promise<void> {
  if (key.revokedAt) return;
  await updateApiKeyRow(tx, key, {
    revokedAt: now,
    revokedReason: reason,
    revokedBy: actorReference(actor),
    updatedAt: now,
  });
  await recordAudit(tx, {
    actor,
    action: 'api_key.revoked',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    changes: { reason, ...(incident && { incident: incident.uuid }) },
  });
  await closeOpenRequests(tx, actor, {
    key,
    state: 'revoked',
    fulfilledUuid: null,
    validTokens: [],
    now,
  });
}
