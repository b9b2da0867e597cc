import type { z } from 'zod';
import type { ApiKey, createApiKeyInput } from '#lib/contract/api-keys.ts';
import type { Context } from '../../context.ts';
import { actorReference } from '../actor.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { forbidden, invalid } from '../errors.ts';
import { parseCidrs } from './cidrs.ts';
import { confirmActor } from './confirm-actor.ts';
import { describeApiKey } from './describe-api-key.ts';
import { countLiveApiKeys, insertApiKey, insertToken, lockApiKeyQuota } from './store.ts';
import { digestToken, lastFour, newToken } from './token.ts';

const liveKeysPerAccount = 200;

/**
 * Makes a key with its first token. The token is in the answer and nowhere else.
 *
 * @throws ServiceError VALIDATION_ERROR (expiry in the past, networks, quota of 200 live keys),
 *   FORBIDDEN if the key would reach further than its maker.
 */
export async function createApiKey(
  ctx: Context,
  actor: Actor,
  input: z.output<typeof createApiKeyInput>,
): Promise<{ apiKey: ApiKey; token: string; message: string }> {
  const now = ctx.clock.now();
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  if (expiresAt && expiresAt <= now) {
    throw invalid('expires_at', 'Give a time in the future.');
  }
  const allowedCidrs = parseCidrs(input.allowed_cidrs ?? []);
  const token = newToken();

  return await ctx.db.transaction(async (tx) => {
    const confirmed = await confirmActor(tx, actor, {
      act: 'api-keys.create',
      scope: 'api-keys:manage',
      targetId: null,
      now,
    });
    const wanted = { type: input.type, scopes: input.scopes ?? null, expiresAt, allowedCidrs };
    if (!confirmed.mayHandle(wanted)) throw forbidden();

    await lockApiKeyQuota(tx, actor.accountId);
    if ((await countLiveApiKeys(tx, actor.accountId, now)) >= liveKeysPerAccount) {
      throw invalid(
        'body',
        `This account has ${liveKeysPerAccount} live keys, the most it can have. Revoke one first.`,
      );
    }
    const createdBy = actorReference(actor);
    const key = await insertApiKey(tx, {
      ...wanted,
      accountId: actor.accountId,
      name: input.name,
      createdAt: now,
      createdBy,
      updatedAt: now,
    });
    const tokenRow = await insertToken(tx, {
      accountId: actor.accountId,
      apiKeyId: key.id,
      digest: digestToken(token),
      lastFour: lastFour(token),
      createdAt: now,
      createdBy,
      revealedTo: createdBy,
    });
    await recordAudit(tx, {
      actor,
      action: 'api_key.created',
      at: now,
      target: { kind: 'api_key', id: key.uuid, name: key.name },
      changes: { type: key.type, scopes: key.scopes, expires_at: key.expiresAt },
    });
    return {
      apiKey: describeApiKey({ key, tokens: [tokenRow] }, now),
      token,
      message: 'Save this token now; it will not be shown again.',
    };
  });
}
