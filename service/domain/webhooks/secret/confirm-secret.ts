import type { z } from 'zod';
import {
  confirmSecret as contract,
  type confirmSecretInput,
} from '#lib/contract/webhooks/unconfirmed-secrets.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid } from '../../errors.ts';
import { confirmMember } from '../../people/members/confirm-member.ts';
import { lockExistingWebhook } from '../lock-webhook.ts';
import { confirmSecretRow, listSealedSecrets, type SecretRow } from '../store/secrets.ts';
import { lastFourOf } from './secret.ts';

/**
 * Records that a person has the signing secret that they were shown. Confirming again changes
 * nothing.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN to anyone but the person to whom it was shown;
 *   VALIDATION_ERROR on `webhook` if it is no longer the newest secret of the webhook
 */
export async function confirmSecret(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher'>,
  actor: PersonActor,
  input: { webhook: string } & z.output<typeof confirmSecretInput>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, contract.access.act);
    const webhook = await lockExistingWebhook(tx, actor.accountId, input.webhook);
    const [newest] = await listSealedSecrets(tx, webhook);
    if (!newest || !isMeant(ctx, newest, input)) {
      throw invalid('webhook', 'The secret has been replaced.');
    }
    if (newest.shownTo?.id !== actor.personId) {
      throw forbidden('other_person', 'Only the person a secret was shown to can confirm it.');
    }
    if (newest.unconfirmedSince === null) return;
    await confirmSecretRow(tx, newest);
    await recordAudit(tx, {
      actor,
      action: 'webhook.secret_confirmed',
      at: ctx.clock.now(),
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
    });
  });
}

/** A confirmed secret has no time at which it was shown; confirming it again is valid. */
function isMeant(
  ctx: Pick<Context, 'cipher'>,
  newest: SecretRow,
  { last_four: lastFour, shown_at: shownAt }: z.output<typeof confirmSecretInput>,
): boolean {
  if (lastFour !== undefined && lastFourOf(ctx, newest) !== lastFour) return false;
  if (shownAt === undefined || newest.unconfirmedSince === null) return true;
  return newest.unconfirmedSince.getTime() === Date.parse(shownAt);
}
