import type { z } from 'zod';
import { replaceUnconfirmedToken as contract } from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { lastFour } from '../../../tokens/token.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import { refuseEndedKey } from '../locked/refuse-ended-key.ts';
import { describeReplacement } from '../rotation/describe-rotation.ts';
import { notifyOfSupport } from '../rotation/notify-of-support.ts';
import { refuseOtherToken } from '../rotation/refuse-other-token.ts';
import { refuseToReplace } from '../rotation/refuse-to-replace.ts';
import { repeatRotation } from '../rotation/repeat-rotation.ts';
import { replaceTokenInPlace } from '../rotation/replace-unused-token.ts';
import { lockValidTokens } from '../store/tokens.ts';
import { requireUnconfirmed } from './require-unconfirmed.ts';

/**
 * Replaces the newest token, which nobody confirmed and nobody used, with a new one. The effects of
 * the rotation before it stay: older tokens keep their deadlines, and the rotation can still be
 * undone.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the key reaches further than the actor, or if the
 *   token was shown to somebody else and the actor may not end tokens; VALIDATION_ERROR if the key
 *   is revoked or expired, if the token is confirmed, used or not the expected one, or on
 *   `Idempotency-Key` for a repeat that is refused
 */
export async function replaceUnconfirmedToken(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string; idempotencyKey: string | null } & z.output<typeof contract.body>,
): Promise<{ token: string; message: string }> {
  const { idempotencyKey, ...request } = input;
  const { notices, ...shown } = await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: contract.access.act,
    repeatable: { key: idempotencyKey, route: contract.name, request },
    change: async (locked) => {
      const { tx, key, now, mayEndTokens, claim } = locked;
      const { earlier, keep } = claim;
      if (earlier) return await repeatRotation(actor, { ...locked, earlier });

      refuseEndedKey(key, now);
      const tokens = await lockValidTokens(tx, key, now);
      await refuseOtherToken(tx, key, { tokens, expected: input.expected_last_four });
      const lost = requireUnconfirmed(tokens);
      if (!mayEndTokens) refuseToReplace(actor, lost);
      const replaced = await replaceTokenInPlace(tx, actor, { key, tokens, now });
      if (!replaced) throw new Error('a locked token was used');
      await keep({ apiKeyId: key.id, tokenId: lost.id, callerTokenId: null });
      const { token } = replaced;
      return {
        token,
        message: describeReplacement(replaced, { key, now }),
        notices: await notifyOfSupport(tx, ctx, { actor, key, lastFour: lastFour(token), now }),
      };
    },
  });
  sendNotices(ctx, notices);
  return shown;
}
