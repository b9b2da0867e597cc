import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { repeatError } from '../../idempotency/claim-request.ts';
import type { EarlierRequest } from '../../idempotency/claim-request.ts';
import { refuseUnfitRepeat } from '../../idempotency/refuse-unfit-repeat.ts';
import { mayHaveSentSince } from '../../lanes/may-have-sent-since.ts';
import { shownTo } from '../../shown-to.ts';
import { newSecret, sealSecret } from './secret.ts';
import { endsOf } from '../rules.ts';
import type { SecretEnds } from '../rules.ts';
import { listSealedSecrets, replaceSecret } from '../store/secrets.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** What is stored about a regeneration for a repeat: ids only, never the secret. */
export type MadeSecret = { webhookId: number; secretUuid: string };

/** The secret to show; and until when older secrets sign, and whether anyone was shown one. */
export type Regenerated = {
  secret: string;
  old: { ends: SecretEnds; wasShown: boolean };
};

/**
 * Responds to a repeated regeneration: replaces the secret it made with a new one, if nothing was
 * signed with it. Older secrets sign as long as before. The caller must have confirmed its actor
 * and locked the webhook.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the request differs or comes too
 *   late, or if the secret already signs, was confirmed or is no longer the newest
 */
export async function replaceUnsignedSecret(
  ctx: Pick<Context, 'cipher'>,
  actor: Actor,
  {
    tx,
    webhook,
    earlier,
    now,
  }: { tx: Tx; webhook: WebhookRow; earlier: EarlierRequest<MadeSecret>; now: Date },
): Promise<Regenerated> {
  const advice = `To get another one, regenerate the secret of webhook ${webhook.id} with a new Idempotency-Key.`;
  refuseUnfitRepeat(earlier, { now, advice });

  const secrets = await listSealedSecrets(tx, webhook);
  const newest = secrets.find(({ validUntil }) => validUntil === null);
  if (newest?.uuid !== earlier.kept.secretUuid) {
    throw repeatError(`The secret that this request made was replaced since. ${advice}`);
  }
  if (actor.kind === 'person' && newest.unconfirmedSince === null) {
    throw repeatError(`Somebody confirmed having the secret of this request. ${advice}`);
  }
  if (await mayHaveSentSince(tx, { webhookId: webhook.id, since: newest.createdAt })) {
    throw repeatError(`Deliveries are signed with the secret that this request made. ${advice}`);
  }
  const secret = newSecret();
  await replaceSecret(tx, newest, {
    sealed: sealSecret(ctx, secret, newest),
    ...shownTo(actor, now),
  });
  await recordAudit(tx, {
    actor,
    action: 'webhook.secret_replaced',
    at: now,
    target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
  });
  return { secret, old: describeOlder(secrets, now) };
}

function describeOlder(
  secrets: Awaited<ReturnType<typeof listSealedSecrets>>,
  now: Date,
): Regenerated['old'] {
  const signing = secrets.filter(({ validUntil }) => validUntil !== null && validUntil > now);
  return {
    ends: endsOf(signing.flatMap(({ validUntil }) => validUntil ?? [])),
    wasShown: signing.some((secret) => secret.shownTo !== null),
  };
}
