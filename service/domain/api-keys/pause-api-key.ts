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
 * Refuses all calls with a key until it is resumed. Pausing a paused key changes nothing.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN; VALIDATION_ERROR if the key is revoked or expired
 */
export async function pauseApiKey(
  ctx: Context,
  actor: Actor,
  { apiKey }: { apiKey: string },
): Promise<ApiKey> {
  return await changeApiKey(ctx, actor, {
    apiKey,
    act: 'api-keys.revoke',
    change: async (locked) => await describe(locked, await setPaused(actor, locked, true)),
  });
}

/**
 * Accepts calls with a paused key again. Who resumes a key gives the access that a new one would
 * give, so they need the right to create it. Resuming a key that is not paused changes nothing.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN; VALIDATION_ERROR if the key is revoked or expired
 */
export async function resumeApiKey(
  ctx: Context,
  actor: Actor,
  { apiKey }: { apiKey: string },
): Promise<ApiKey> {
  return await changeApiKey(ctx, actor, {
    apiKey,
    act: 'api-keys.create',
    change: async (locked) => await describe(locked, await setPaused(actor, locked, false)),
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

async function describe({ tx, now }: LockedApiKey, key: ApiKeyRow): Promise<ApiKey> {
  const { accountId } = key;
  const tokens = await validTokens(tx, key, now);
  return await describeStoredApiKey(
    tx,
    { key, tokens },
    { accountId: mintAccountId(accountId), now },
  );
}
