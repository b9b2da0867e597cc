import type { z } from 'zod';
import type { revokeApiKeyInput } from '#lib/contract/api-keys.ts';
import type { Context } from '../../context.ts';
import { actorReference } from '../actor.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { changeApiKey } from './change-api-key.ts';
import { updateApiKeyRow } from './store.ts';

/**
 * Ends a key and all its tokens for good. Revoking a revoked key changes nothing, so that a call
 * repeated after a lost answer succeeds.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN
 */
export async function revokeApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof revokeApiKeyInput>,
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.revoke',
    change: async ({ tx, key, now }) => {
      if (key.revokedAt) return;
      const reason = input.reason ?? null;
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
        changes: { reason },
      });
    },
  });
}
