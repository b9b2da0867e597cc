import type { z } from 'zod';
import {
  confirmToken as confirmation,
  replaceUnconfirmedToken as contract,
  type confirmTokenInput,
} from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { Context } from '../../../context.ts';
import { lastFour } from '../../../tokens/token.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid } from '../../errors.ts';
import { sendNotices } from '../../people/notices/notices.ts';
import { changeApiKey, refuseEndedKey } from '../change-api-key.ts';
import { isUnconfirmed, type UnconfirmedToken } from '../rules.ts';
import { confirmTokenRow, lockValidTokens, type TokenRow } from '../store/tokens.ts';
import { refuseOtherToken, refuseToReplace } from './decide-rotation.ts';
import { notifyOfSupport } from './notify-of-support.ts';
import {
  describeReplacement,
  repeatRotation,
  replaceTokenInPlace,
} from './replace-unused-token.ts';

/**
 * Records that a person has the token that they were shown. Confirming again changes nothing.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN to anyone but the person to whom it was shown;
 *   VALIDATION_ERROR on `last_four` if it is no longer the newest token of the key
 */
export async function confirmToken(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & z.output<typeof confirmTokenInput>,
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: confirmation.access.act,
    mayExceedActorRights: true,
    change: async ({ tx, key, now }) => {
      const [newest] = await lockValidTokens(tx, key, now);
      if (newest?.lastFour !== input.last_four) {
        throw invalid('last_four', 'The key now has another token.');
      }
      if (newest.shownTo?.id !== actor.personId) {
        throw forbidden('other_person', 'Only the person a token was shown to can confirm it.');
      }
      if (newest.unconfirmedSince === null) return;
      await confirmTokenRow(tx, newest);
      await recordAudit(tx, {
        actor,
        action: 'api_key.token_confirmed',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: key.name },
        changes: { last_four: newest.lastFour },
      });
    },
  });
}

/**
 * Replaces the newest token, which nobody confirmed and nobody used, with a new one. The effects of
 * the rotation before it stay: older tokens keep their deadlines, and the rotation can still be
 * undone.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the key reaches further than the actor, or if the
 *   token was shown to someone else and the actor may not end tokens; VALIDATION_ERROR if the key
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
      if (earlier) return await repeatRotation(ctx, actor, { ...locked, earlier });

      refuseEndedKey(key, now);
      const tokens = await lockValidTokens(tx, key, now);
      await refuseOtherToken(tx, key, { tokens, expected: input.expected_last_four });
      const lost = requireUnconfirmed(tokens);
      if (!mayEndTokens) refuseToReplace(actor, lost);
      const replaced = await replaceTokenInPlace(ctx, actor, { tx, key, tokens, now });
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

/**
 * The newest token of a key, which must be unconfirmed.
 *
 * @param tokens valid tokens of the key, newest first
 * @throws ServiceError VALIDATION_ERROR if someone confirmed or used it
 */
export function requireUnconfirmed(tokens: readonly TokenRow[]): UnconfirmedToken {
  const [newest] = tokens;
  if (!newest) throw new Error('the key has no token');
  if (isUnconfirmed(newest)) return newest;
  throw invalid(
    'api_key',
    newest.firstUsedAt === null
      ? `The token ending in ${newest.lastFour} was confirmed. Rotate the key instead.`
      : `The token ending in ${newest.lastFour} was used, so someone has it. Rotate the key instead.`,
  );
}
