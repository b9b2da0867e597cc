import type { z } from 'zod';
import { allTypesWith } from '#lib/contract/events/events.ts';
import { createWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { createWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { actorReference, type Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { runEffects } from '../effects.ts';
import { claimRequest, reusedKeyError } from '../idempotency/claim-request.ts';
import { claimQuota } from '../quotas/quotas.ts';
import { acceptTarget } from './target/accept-target.ts';
import { confirmReader } from './lock-webhook.ts';
import { contactMail, limitContacts, planContact } from './contact.ts';
import { describeWebhook } from './read-webhooks.ts';
import { makeSecret } from './secret/secret.ts';
import { storeHeaders, type StaticHeaders } from './static-headers.ts';
import { insertSecrets, type WebhookWithSecrets } from './store/secrets.ts';
import { insertWebhook, type NewWebhookRow } from './store/webhooks.ts';

/**
 * Creates a webhook, with a signing secret that nobody is shown, so that its first delivery is
 * signed. To see a secret, regenerate it. A webhook that is created inactive counts as being set up
 * until it is first activated. If the request is repeated with its `Idempotency-Key`, no other
 * webhook is created and the response is the same.
 *
 * @throws ServiceError VALIDATION_ERROR (a URL that may not be called, the quota of webhooks, or on
 *   `Idempotency-Key` if it was used for another request), FORBIDDEN for events that the actor may
 *   not read
 */
export async function createWebhook(
  ctx: Context,
  actor: Actor,
  {
    idempotencyKey: key = null,
    ...input
  }: z.output<typeof createWebhookInput> & { idempotencyKey?: string | null },
): Promise<Webhook> {
  const request = { key, route: contract.name, request: input, now: ctx.clock.now() };
  const url = acceptTarget(ctx, input.url);
  const allEvents = input.all_events ?? false;
  const chosen = input.events ?? [];
  const events = allEvents ? allTypesWith(chosen) : chosen;

  await limitContacts(ctx, actor, input.contact_email);
  const { mail, ...result } = await ctx.db.transaction(async (tx) => {
    const { earlier, keep } = await claimRequest<Webhook>(tx, actor, request);
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    if (earlier) {
      if (!earlier.isSameRequest) throw reusedKeyError();
      return { described: earlier.kept, mail: null };
    }
    await confirmReader(tx, actor, { events, clock: ctx.clock });
    await claimQuota(ctx, tx, { accountId: actor.accountId, of: 'webhooks' });
    const contact = planContact(input.contact_email, { before: null, now: ctx.clock.now() });
    const created = await insertWithSecret(ctx, tx, {
      ...contact.columns,
      accountId: actor.accountId,
      name: input.name,
      url,
      events,
      allEvents,
      filter: input.filter ?? null,
      headers: input.headers ?? {},
      maxPerSecond: input.max_deliveries_per_second ?? null,
      isActive: input.is_active,
      createdBy: actorReference(actor),
    });
    const { webhook } = created;
    await recordAudit(tx, {
      actor,
      action: 'webhook.created',
      at: webhook.createdAt,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: {
        url,
        events: webhook.events,
        ...(allEvents && { all_events: true }),
        ...(webhook.filter && { filter: webhook.filter }),
        ...(webhook.headerNames.length > 0 && { header_names: webhook.headerNames }),
        ...(webhook.maxPerSecond && { max_deliveries_per_second: webhook.maxPerSecond }),
        ...(webhook.contactEmail && { contact_email: webhook.contactEmail }),
        is_active: webhook.isActive,
        secret: { was_shown: false },
      },
    });
    const described = describeWebhook(ctx, created, actor);
    await keep(described);
    const { token } = contact;
    return { described, mail: await contactMail(ctx, tx, { webhook, token }) };
  });
  if (mail) ctx.mail.send(mail);
  return result.described;
}

async function insertWithSecret(
  ctx: Pick<Context, 'clock' | 'cipher' | 'effects'>,
  tx: Tx,
  {
    headers,
    ...given
  }: Pick<NewWebhookRow, 'name' | 'url' | 'events' | 'allEvents' | 'maxPerSecond' | 'isActive'> &
    Partial<NewWebhookRow> & {
      accountId: AccountId;
      headers: StaticHeaders;
    },
): Promise<WebhookWithSecrets> {
  const { accountId, isActive } = given;
  const now = ctx.clock.now();
  const webhook = await insertWebhook(tx, {
    ...given,
    headerNames: Object.keys(headers),
    inactiveSince: isActive ? null : now,
    inactiveReason: isActive ? null : 'setup',
    createdAt: now,
    updatedAt: now,
  });
  const webhookId = webhook.id;
  const { row } = makeSecret(ctx, { accountId, webhookId, createdAt: now, shown: null });
  await insertSecrets(tx, [row]);
  await storeHeaders(ctx, tx, { webhook, headers });
  await runEffects(tx, ctx.effects.webhookCreated, { webhook });
  const period = { ...row, validUntil: null, shownTo: null, unconfirmedSince: null };
  return { webhook, secrets: [period] };
}
