import { randomBytes, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { regenerateWebhookSecret as contract } from '#lib/contract/webhooks.ts';
import type { regenerateSecretInput } from '#lib/contract/webhooks.ts';
import { formatApiTime, formatDuration } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { actorReference } from '../actor.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-caller.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { planRegeneration } from './rules.ts';
import {
  deleteSecrets,
  endNewestSecretAt,
  insertSecret,
  listSealedSecrets,
  lockWebhook,
} from './store.ts';

const defaultGraceSeconds = 86_400;

/**
 * Gives a webhook a new signing secret (specification 4.3): `whsec_` and the base64 of 32 random
 * bytes, as Standard Webhooks writes symmetric secrets. It is stored sealed and returned once, here.
 * For the grace period (24 hours unless given) the secret it replaces signs beside it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function regenerateSecret(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof regenerateSecretInput>,
): Promise<{ secret: string; message: string }> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.webhook);
  if (!reference) throw notFound();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const uuid = randomUUID();

  const oldSignsUntil = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, now });
    const webhook = await lockWebhook(tx, actor.accountId, reference);
    if (!webhook) throw notFound();
    const plan = planRegeneration(await listSealedSecrets(tx, webhook), {
      now,
      graceSeconds: input.grace_period_seconds ?? defaultGraceSeconds,
    });
    await deleteSecrets(tx, webhook, plan.removed);
    if (plan.newestSignsUntil) await endNewestSecretAt(tx, webhook, plan.newestSignsUntil);
    await insertSecret(tx, {
      accountId: actor.accountId,
      webhookId: webhook.id,
      uuid,
      sealed: ctx.cipher.seal(secret, {
        table: 'webhook_secrets',
        uuid,
        accountId: actor.accountId,
      }),
      createdAt: now,
      revealedTo: actorReference(actor),
    });
    await recordAudit(tx, {
      actor,
      action: 'webhook.secret_regenerated',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: { previous_valid_until: plan.oldSignsUntil },
    });
    return plan.hadSecret ? plan.oldSignsUntil : undefined;
  });
  return { secret, message: messageOf(oldSignsUntil, now) };
}

/** @param oldSignsUntil undefined when this is the first secret, null when the old one ended */
function messageOf(oldSignsUntil: Date | null | undefined, now: Date): string {
  const save = 'Save this secret now; it will not be shown again.';
  if (oldSignsUntil === undefined) return `${save} Deliveries are signed with it from now on.`;
  if (oldSignsUntil === null) return `${save} The old secret no longer signs.`;
  const seconds = Math.round((oldSignsUntil.getTime() - now.getTime()) / 1000);
  return `${save} The old secret signs beside it for ${formatDuration(seconds)}, until ${formatApiTime(oldSignsUntil)}.`;
}
