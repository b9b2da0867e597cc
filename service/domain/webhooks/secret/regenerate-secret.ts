import type { z } from 'zod';
import { defaultGraceSeconds } from '#lib/contract/fields/grace-period.ts';
import type { regenerateSecretInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import {
  endWebhookSecret as endContract,
  regenerateWebhookSecret as contract,
} from '#lib/contract/webhooks/webhooks.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { confirmCaller } from '../../api-keys/confirm-actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { invalid, notFound } from '../../errors.ts';
import {
  claimRequest,
  refuseUnfitRepeat,
  repeatError,
  type EarlierRequest,
} from '../../idempotency/claim-request.ts';
import { saveNow, termUntil } from '../../secret-messages.ts';
import { disclosedTo } from '../../disclosure.ts';
import { lockExistingWebhook } from '../lock-webhook.ts';
import { endsOf, maxSigning, planRegeneration, type SecretEnds } from '../rules.ts';
import {
  deleteSecrets,
  endSecretAt,
  insertSecrets,
  listSealedSecrets,
  mayHaveSentSince,
  replaceSecret,
  type SecretRow,
} from '../store/secrets.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { describeSigning, lastFourOf, makeSecret, newSecret, sealSecret } from './secret.ts';

/**
 * Gives a webhook a new signing secret (specification 4.3). It is stored encrypted and returned
 * only here. For the grace period (24 hours by default) the secret it replaces also signs, even if
 * nobody was ever shown that one. If the request is repeated with its `Idempotency-Key`, nothing is
 * regenerated again: the secret it made is replaced, unless something was signed with it.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR if too many secrets would sign afterwards, on
 *   `expected_created_at` if the newest secret is another one, or on `Idempotency-Key` for a repeat
 *   that is refused
 */
export async function regenerateSecret(
  ctx: Context,
  actor: Actor,
  input: { webhook: string; idempotencyKey?: string | null } & z.output<
    typeof regenerateSecretInput
  >,
): Promise<{ secret: string; message: string }> {
  const { idempotencyKey: key = null, ...request } = input;
  const calledAt = ctx.clock.now();
  const repeatable = { key, route: contract.name, request };

  return await ctx.db.transaction(async (tx) => {
    const { earlier, keep } = await claimRequest<MadeSecret>(tx, actor, {
      ...repeatable,
      now: calledAt,
    });
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockExistingWebhook(tx, actor.accountId, input.webhook);
    // After the locks, so that a grace period does not begin while this call still waits.
    const now = ctx.clock.now();
    if (earlier) {
      const replaced = await replaceUnsignedSecret(ctx, actor, { tx, webhook, earlier, now });
      return { secret: replaced.secret, message: messageOf(replaced, { webhook, now }) };
    }
    const { secretUuid, ...made } = await regenerate(ctx, actor, {
      tx,
      webhook,
      now,
      graceSeconds: input.grace_period_seconds ?? defaultGraceSeconds,
      expectedCreatedAt: input.expected_created_at,
    });
    await keep({ webhookId: webhook.id, secretUuid });
    return { secret: made.secret, message: messageOf(made, { webhook, now }) };
  });
}

async function regenerate(
  ctx: Pick<Context, 'cipher' | 'effects'>,
  actor: Actor,
  {
    tx,
    webhook,
    now,
    graceSeconds,
    expectedCreatedAt,
  }: {
    tx: Tx;
    webhook: WebhookRow;
    now: Date;
    graceSeconds: number;
    expectedCreatedAt: string | undefined;
  },
): Promise<Regenerated & { secretUuid: string }> {
  const secrets = await listSealedSecrets(tx, webhook);
  refuseOtherSecret(secrets, expectedCreatedAt);
  const { secret, row } = makeSecret(ctx, {
    accountId: actor.accountId,
    webhookId: webhook.id,
    createdAt: now,
    shown: disclosedTo(actor, now),
  });
  const plan = planRegeneration(secrets, { now, graceSeconds });
  if (plan.kind === 'too_many') throw tooManySecrets(plan.firstEnd);
  const { wasShown, ends } = plan;
  await deleteSecrets(tx, webhook, plan.removed);
  const [previous] = secrets;
  if (plan.newestSignsUntil && previous) await endSecretAt(tx, previous, plan.newestSignsUntil);
  await insertSecrets(tx, [row]);
  await recordAudit(tx, {
    actor,
    // The first secret that anyone is shown replaces one that nobody has.
    action: wasShown ? 'webhook.secret_regenerated' : 'webhook.secret_generated',
    at: now,
    target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
    changes: {
      last_four: secret.slice(-4),
      previous_last_four: (previous && lastFourOf(ctx, previous)) ?? undefined,
      previous_valid_until: ends.previous,
      previous_was_shown: wasShown,
    },
  });
  await runEffects(tx, ctx.effects.webhookSecretRegenerated, { actor, webhook, now });
  return { secret, old: { ends, wasShown }, secretUuid: row.uuid };
}

/**
 * Refuses a request if the newest secret is not the one that the caller expected.
 *
 * @param secrets newest first
 */
function refuseOtherSecret(
  [newest]: readonly SecretRow[],
  expectedCreatedAt: string | undefined,
): void {
  if (!newest || expectedCreatedAt === undefined) return;
  if (newest.createdAt.getTime() === Date.parse(expectedCreatedAt)) return;
  const by = newest.shownTo ? ` by ${newest.shownTo.name}` : '';
  throw invalid(
    'expected_created_at',
    `The secret of this webhook was already regenerated at ${formatApiTime(newest.createdAt)}${by}.`,
  );
}

function tooManySecrets(firstEnd: Date): Error {
  return invalid(
    'webhook',
    `${maxSigning} secrets sign the deliveries of this webhook, the maximum. Try again when the first of the older ones ends, at ${formatApiTime(firstEnd)}. Or regenerate with a grace period of 0, which ends every older secret.`,
  );
}

function messageOf(
  { old: { ends, wasShown } }: Regenerated,
  { webhook, now }: { webhook: WebhookRow; now: Date },
): string {
  const save = saveNow('secret');
  if (ends.previous === null) {
    if (wasShown) return `${save} The old secret no longer signs.`;
    if (webhook.inactiveReason !== null) return `${save} ${describeSigning(webhook)}`;
    return `${save} Deliveries are signed with it from now on.`;
  }
  const previous = wasShown ? 'The old secret' : 'The previous secret, which was never shown,';
  const older =
    ends.last && ends.last > ends.previous
      ? ` An older secret signs until ${formatApiTime(ends.last)}.`
      : '';
  return `${save} ${previous} also signs ${termUntil(ends.previous, now)}.${older}`;
}

/** What is stored about a regeneration for a repeat: ids only, never the secret. */
type MadeSecret = { webhookId: number; secretUuid: string };

/** The secret to show; and until when older secrets sign, and whether anyone was shown one. */
type Regenerated = {
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
async function replaceUnsignedSecret(
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
    throw repeatError(`The secret of this request was confirmed. ${advice}`);
  }
  if (await mayHaveSentSince(tx, webhook, newest.createdAt)) {
    throw repeatError(`Deliveries are signed with the secret that this request made. ${advice}`);
  }
  const secret = newSecret();
  await replaceSecret(tx, newest, {
    sealed: sealSecret(ctx, secret, newest),
    ...disclosedTo(actor, now),
  });
  await recordAudit(tx, {
    actor,
    action: 'webhook.secret_replaced',
    at: now,
    target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
    changes: { last_four: secret.slice(-4) },
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

/**
 * Ends an older signing secret before its grace period is over. Its row is kept until the next
 * regeneration, so that the signature doctor recognizes a receiver that still uses it.
 *
 * @throws ServiceError NOT_FOUND (also for the newest secret, and for one that has ended, belongs to
 *   another webhook or does not exist)
 */
export async function endSecret(
  ctx: Context,
  actor: Actor,
  input: { webhook: string; secret: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...endContract.access, clock: ctx.clock });
    const webhook = await lockExistingWebhook(tx, actor.accountId, input.webhook);
    const now = ctx.clock.now();
    const secrets = await listSealedSecrets(tx, webhook);
    const secret = secrets.find(({ uuid }) => uuid === input.secret);
    if (!secret?.validUntil || secret.validUntil <= now) throw notFound();
    await endSecretAt(tx, secret, now);
    await recordAudit(tx, {
      actor,
      action: 'webhook.secret_ended',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: { last_four: lastFourOf(ctx, secret) },
    });
    await runEffects(tx, ctx.effects.webhookSecretEnded, { webhook });
  });
}
