import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { actorReference, type Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { changeApiKey, refuseEndedKey, type LockedApiKey } from './change-api-key.ts';
import { describeStoredApiKey } from './describe-api-key.ts';
import { updateApiKeyRow, type ApiKeyRow } from './store/keys.ts';
import { validTokens } from './store/tokens.ts';

/**
 * Pauses a key, which refuses all calls with it, or resumes it; does nothing if it is so already.
 * Resuming gives the access that a new key would give, so it needs the right to create one.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN; VALIDATION_ERROR if the key is revoked or expired
 */
export async function setApiKeyPaused(
  ctx: Context,
  actor: Actor,
  { apiKey, isPaused }: { apiKey: string; isPaused: boolean },
): Promise<ApiKey> {
  return await changeApiKey(ctx, actor, {
    apiKey,
    act: isPaused ? 'api-keys.revoke' : 'api-keys.create',
    change: async (locked) => {
      const key = await setPaused(actor, locked, isPaused);
      const { tx, now } = locked;
      const tokens = await validTokens(tx, key, now);
      const accountId = mintAccountId(key.accountId);
      return await describeStoredApiKey(tx, { key, tokens }, { accountId, now });
    },
  });
}

/** Pauses or resumes a locked key as part of a change; does nothing if it is so already. */
export async function setPaused(
  actor: Actor,
  { tx, key, now, incident }: LockedApiKey & { incident?: { uuid: string; reason: string } },
  isPaused: boolean,
): Promise<ApiKeyRow> {
  refuseEndedKey(key, now);
  if (isPaused === (key.pausedAt !== null)) return key;
  const updated = await updateApiKeyRow(tx, key, {
    pausedAt: isPaused ? now : null,
    pausedBy: isPaused ? actorReference(actor) : null,
    updatedAt: now,
  });
  await recordAudit(tx, {
    actor,
    action: isPaused ? 'api_key.paused' : 'api_key.resumed',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    ...(incident && { changes: { reason: incident.reason, incident: incident.uuid } }),
  });
  return updated;
}
