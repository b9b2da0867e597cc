import type { z } from 'zod';
import { undoRotation as contract } from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { forbidden, invalid } from '../../errors.ts';
import { sendNotices } from '../../people/notices/notices.ts';
import { changeApiKey, refuseEndedKey } from '../change-api-key.ts';
import { rotationsUndoneWith, tokenRestoredByUndo } from '../rules.ts';
import { lockReportedLeak, type ApiKeyRow } from '../store/keys.ts';
import {
  endTokensAt,
  findLatestToken,
  listEarlierWithSameUndo,
  lockValidTokens,
  makeTokenNewest,
  type TokenRow,
} from '../store/tokens.ts';
import { refuseOtherToken } from './decide-rotation.ts';
import { notifyOfSupport } from './notify-of-support.ts';
import { requireUnconfirmed } from './replace-unconfirmed-token.ts';

const leakReported =
  'Someone reported that a token of this key may have leaked, so its rotation cannot be undone. Revoke or rotate the key, or decline the request first.';

/**
 * Undoes the rotation that made the newest token of a key, which nobody confirmed and nobody used:
 * that token ends, and the one before it is the newest again. The newest token has no deadline of
 * its own, so the restored token ends exactly when it did before: with its key. Undoing again, for
 * example after a lost response, changes nothing.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the key reaches further than the actor, or if
 *   someone else rotated it, or was shown the token, and the actor may not end tokens;
 *   VALIDATION_ERROR if the key is revoked or expired, if the token is confirmed, used or not the
 *   expected one, if the one before it has ended, or if the rotation was because of a leak, or a
 *   leak is reported now
 */
export async function undoRotation(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & z.output<typeof contract.body>,
): Promise<void> {
  const notices = await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: contract.access.act,
    change: async ({ tx, key, now, mayEndTokens }) => {
      refuseEndedKey(key, now);
      const tokens = await lockValidTokens(tx, key, now);
      const [newest] = tokens;
      if (newest && (await wasUndone(tx, key, { newest, lastFour: input.expected_last_four }))) {
        return [];
      }
      await refuseOtherToken(tx, key, { tokens, expected: input.expected_last_four });
      const undone = requireUnconfirmed(tokens);
      const restored = tokenRestoredByUndo(tokens);
      if (!restored) {
        throw invalid(
          'api_key',
          'This rotation cannot be undone: the previous token has ended, or there was a leak.',
        );
      }
      const isOwn = undone.createdBy.id === actor.personId;
      // They do not know a replacement token that was shown to someone else.
      const isKnown = undone.shownTo?.id === actor.personId;
      if (!mayEndTokens && !(isOwn && isKnown)) {
        throw forbidden(
          'other_person',
          'Only the person who rotated the key, an owner or an admin can undo this.',
        );
      }
      if (await lockReportedLeak(tx, key, now)) throw invalid('api_key', leakReported);
      await endTokensAt(tx, key, { tokenIds: [undone.id], validUntil: now });
      await makeTokenNewest(tx, restored);
      await recordAudit(tx, {
        actor,
        action: 'api_key.rotation_undone',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: key.name },
        changes: { last_four: restored.lastFour, ended_last_four: undone.lastFour },
      });
      const rotatedAt = rotationsUndoneWith(undone, await listEarlierWithSameUndo(tx, undone));
      await runEffects(tx, ctx.effects.rotationUndone, { actor, key, rotatedAt, now });
      const { lastFour } = restored;
      return await notifyOfSupport(tx, ctx, { actor, key, lastFour, isUndo: true, now });
    },
  });
  sendNotices(ctx, notices);
}

/**
 * Whether a rotation that made a token with these last four characters was undone, and the key was
 * not rotated since. After an undo, an older token is the newest again.
 */
async function wasUndone(
  tx: Tx,
  key: ApiKeyRow,
  { newest, lastFour }: { newest: TokenRow; lastFour: string },
): Promise<boolean> {
  if (newest.lastFour === lastFour) return false;
  const found = await findLatestToken(tx, key, lastFour);
  return found !== null && found.id > newest.id;
}
