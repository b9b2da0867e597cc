import { maxExtensionDays } from '#lib/contract/api-keys/token-use.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { invalid, notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { changeApiKey } from '../change-api-key.ts';
import { extendableUntil } from '../calls/read-token-use.ts';
import { hasEnded } from '../rules.ts';
import { listLeakReports } from '../store/keys.ts';
import { endOlderToken, endTokensAt, lockValidTokens, validTokens } from '../store/tokens.ts';

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

/**
 * Extends the time of an old token, to at most 30 days after the rotation that replaced it, and not
 * past the end of the key.
 *
 * @throws ServiceError NOT_FOUND as `endToken`; FORBIDDEN; VALIDATION_ERROR if the token may have
 *   leaked, or the new end is too late or no later than the present one
 */
export async function extendToken(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string; token: string; valid_until: string },
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.extend-tokens',
    change: async ({ tx, key, now }) => {
      const reference = parseResourceReference(input.token);
      if (hasEnded(key, now) || reference?.kind !== 'id') throw notFound();
      const token = (await lockValidTokens(tx, key, now)).find(({ id }) => id === reference.id);
      if (!token) throw notFound();
      const reports = await listLeakReports(tx, actor.accountId, [key.id]);
      const latest = extendableUntil(token, {
        key,
        reports: reports.map(({ createdAt }) => createdAt),
      });
      if (!latest) throw invalid('token', notExtendable);
      const validUntil = new Date(input.valid_until);
      if (token.validUntil === null || validUntil <= token.validUntil) {
        throw invalid('valid_until', 'Choose a time after the present end of the token.');
      }
      if (validUntil > latest) {
        throw invalid('valid_until', `Choose a time until ${formatApiTime(latest)}.`);
      }
      await endTokensAt(tx, key, { tokenIds: [token.id], validUntil });
      await recordAudit(tx, {
        actor,
        action: 'api_key.token_extended',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: key.name },
        changes: {
          last_four: token.lastFour,
          valid_until: { from: formatApiTime(token.validUntil), to: formatApiTime(validUntil) },
        },
      });
    },
  });
}

const notExtendable = `The time of this token cannot be extended. It is the newest token, it may have leaked, or it works until ${maxExtensionDays} days after its rotation or the end of the key already.`;
