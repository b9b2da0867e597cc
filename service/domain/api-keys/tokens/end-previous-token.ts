import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { closeFinishedLeakReports } from '../../rotation-requests/outcomes/close-open-requests.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import { hasEnded } from '../rules.ts';
import { endOlderToken, validTokens } from '../store/tokens.ts';

/**
 * Ends the token before the newest at once, although its grace period is not over. Older tokens
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
      await closeFinishedLeakReports(tx, actor, { key, validTokens: [newest, ...older], now });
    },
  });
}
