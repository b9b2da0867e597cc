import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { invalid, notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { changeApiKey } from '../change-api-key.ts';
import { hasEnded } from '../rules.ts';
import { endOlderToken, validTokens } from '../store/tokens.ts';

/**
 * Ends one older token of a key early.
 * @throws ServiceError NOT_FOUND (also for a token that has ended, belongs to another key or does
 *   not exist); FORBIDDEN; VALIDATION_ERROR for the newest token, which only a rotation can replace
 */
export async function endToken(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string; token: string },
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.end-tokens',
    change: async ({ tx, key, now }) => {
      const reference = parseResourceReference(input.token);
      if (hasEnded(key, now) || reference?.kind !== 'id') throw notFound();
      const tokens = await validTokens(tx, key, now);
      const [newest, ...older] = tokens;
      if (newest?.id === reference.id) {
        throw invalid(
          'token',
          'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
        );
      }
      const token = older.find(({ id }) => id === reference.id);
      if (!token) throw notFound();
      await endOlderToken(tx, token, now);
      await recordAudit(tx, {
        actor,
        action: 'api_key.token_ended',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: key.name },
        changes: { last_four: token.lastFour },
      });
      const kept = tokens.filter(({ id }) => id !== token.id);
      await runEffects(tx, ctx.effects.tokensEnded, { actor, key, validTokens: kept, now });
    },
  });
}

/**
 * Ends the token before the newest immediately, although its grace period is not over. Older tokens
 * keep their deadlines.
 * @throws ServiceError NOT_FOUND (also if no older token is valid, as for a revoked or expired
 *   key), FORBIDDEN
 */
export async function endPreviousToken(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string },
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.end-tokens',
    change: async ({ tx, key, now }) => {
      if (hasEnded(key, now)) throw notFound();
      const [newest, previous, ...older] = await validTokens(tx, key, now);
      if (!newest || !previous) throw notFound();
      await endOlderToken(tx, previous, now);
      await recordAudit(tx, {
        actor,
        action: 'api_key.previous_token_ended',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: key.name },
        changes: { last_four: [previous.lastFour] },
      });
      const kept = [newest, ...older];
      await runEffects(tx, ctx.effects.tokensEnded, { actor, key, validTokens: kept, now });
    },
  });
}
