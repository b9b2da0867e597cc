import type { z } from 'zod';
import { confirmToken as contract } from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { confirmTokenInput } from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid } from '../../errors.ts';
import { confirmTokenRow, lockValidTokens } from '../store/tokens.ts';
import { changeApiKey } from '../locked/change-api-key.ts';

/**
 * Records that a person has the token that they were shown. Confirming again changes nothing.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN to anybody but the person to whom it was shown;
 *   VALIDATION_ERROR on `last_four` if it is no longer the newest token of the key
 */
export async function confirmToken(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & z.output<typeof confirmTokenInput>,
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: contract.access.act,
    mayExceedActorRights: true,
    change: async ({ tx, key, now }) => {
      const [newest] = await lockValidTokens(tx, key, now);
      if (newest?.lastFour !== input.last_four) {
        throw invalid('last_four', 'The key has another token now.');
      }
      if (newest.shownTo?.id !== actor.personId) {
        throw forbidden('Only the person a token was shown to can confirm having it.');
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
