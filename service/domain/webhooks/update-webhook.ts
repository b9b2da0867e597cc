import type { z } from 'zod';
import { allTypesWith, eventAccessOf, eventTypes } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import { updateWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { updateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { listChanges, recordAudit } from '../audit/record-audit.ts';
import { isNoOp } from '../is-no-op.ts';
import { runEffects } from '../effects.ts';
import { invalid } from '../errors.ts';
import { acceptTarget } from './target/accept-target.ts';
import { confirmReader, lockExistingWebhook } from './lock-webhook.ts';
import { describeWebhook } from './read-webhooks.ts';
import { contactMail, limitContacts, planContact } from './contact.ts';
import { planHeaders, storeHeaders, type StaticHeaders } from './static-headers.ts';
import { secretPeriodsOf } from './store/secrets.ts';
import {
  addTypesToAll,
  listPendingTypes,
  updateWebhookRow,
  type NewWebhookRow,
  type WebhookRow,
} from './store/webhooks.ts';

/** A change of a webhook that someone asks for. */
type Update = {
  ctx: Context;
  actor: Actor;
  input: { webhook: string } & z.output<typeof updateWebhookInput>;
};

/** `now`: when the webhook was locked. */
export type PlannedUpdate = {
  before: WebhookRow;
  change: Partial<NewWebhookRow>;
  /** Null if they stay as they are. */
  headers: StaticHeaders | null;
  /** The token of the link that its new contact gets; null if none is sent. */
  contactToken: string | null;
  now: Date;
};

/**
 * Changes a webhook, pauses it (`is_active: false`) or resumes it. While it is paused, no
 * deliveries are created and pending ones wait. Resuming resets its failure count, and continues
 * pending deliveries; with a `backlog` it is `updateWithBacklog`.
 *
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR (a URL that may not be called), FORBIDDEN for
 *   events that the actor may not read
 */
export async function updateWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & Omit<z.output<typeof updateWebhookInput>, 'backlog'>,
): Promise<Webhook> {
  const update = { ctx, actor, input };
  await limitContacts(ctx, actor, input.contact_email);
  const { described, mail } = await ctx.db.transaction(
    async (tx) => await carryOutUpdate(tx, update, await planUpdate(tx, update)),
  );
  if (mail) ctx.mail.send(mail);
  return described;
}

/**
 * Locks a webhook, and checks whether the actor may change it in this way.
 *
 * @throws ServiceError as `updateWebhook`, and VALIDATION_ERROR on `backlog` for a webhook that is
 *   already active
 */
export async function planUpdate(tx: Tx, { ctx, actor, input }: Update): Promise<PlannedUpdate> {
  await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
  const before = await lockExistingWebhook(tx, actor.accountId, input.webhook);
  const types = chosenTypes(before, input);
  await confirmReader(tx, actor, {
    events: await newToReceiver(tx, before, { ...input, events: types.events }),
    clock: ctx.clock,
  });
  if (input.backlog && before.isActive) {
    throw invalid('backlog', 'This webhook is already active. Replay a window instead.');
  }
  const now = ctx.clock.now();
  const url = input.url === undefined ? before.url : acceptTarget(ctx, input.url);
  const headers = await planHeaders(ctx, tx, { before, url, headers: input.headers });
  const contact = planContact(input.contact_email, { before, now });
  const change: Partial<NewWebhookRow> = {
    ...contact.columns,
    ...(input.name !== undefined && { name: input.name }),
    ...(input.url !== undefined && { url }),
    ...(input.max_deliveries_per_second !== undefined && {
      maxPerSecond: input.max_deliveries_per_second,
    }),
    ...(input.filter !== undefined && { filter: input.filter }),
    ...(headers && { headerNames: Object.keys(headers) }),
    ...types,
    ...activation(before, input.is_active, now),
  };
  return { before, change, headers, contactToken: contact.token, now };
}

/** Changes a locked webhook as planned. @returns the email to a new contact, for `send` */
export async function carryOutUpdate(
  tx: Tx,
  { ctx, actor, input }: Update,
  { before, change, headers, contactToken, now }: PlannedUpdate,
): Promise<{ webhook: WebhookRow; described: Webhook; mail: Mail | null }> {
  const describe = async (webhook: WebhookRow) => {
    const secrets = await secretPeriodsOf(tx, webhook, now);
    const mail = await contactMail(ctx, tx, { webhook, token: contactToken });
    return { webhook, described: describeWebhook(ctx, { webhook, secrets }, actor), mail };
  };
  const givenHeaders = Object.entries(input.headers ?? {}).filter(([, value]) => value !== null);
  if (isNoOp(before, change) && givenHeaders.length === 0) return await describe(before);
  if (headers) await storeHeaders(ctx, tx, { webhook: before, headers });
  let webhook = await updateWebhookRow(tx, before, { ...change, updatedAt: now });
  const { webhookPaused, webhookResumed, webhookUrlChanged } = ctx.effects;
  if (change.isActive === false) await runEffects(tx, webhookPaused, { webhook });
  else if (isSentOtherwise(before, webhook) || headers)
    await runEffects(tx, webhookUrlChanged, { webhook });
  if (change.isActive === true) {
    webhook = { ...webhook, failureCount: 0, failingSince: null };
    await runEffects(tx, webhookResumed, { actor, webhook, now });
  }
  await recordAudit(tx, {
    actor,
    action: 'webhook.updated',
    at: now,
    target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
    changes: {
      ...listChanges(auditedFields(before), auditedFields(webhook)),
      ...(givenHeaders.length > 0 && { given_headers: givenHeaders.map(([name]) => name) }),
      ...(input.backlog && { backlog: input.backlog }),
    },
  });
  return await describe(webhook);
}

/** What a change of `events` and `all_events` makes of them. */
function chosenTypes(
  before: WebhookRow,
  { events, all_events: allEvents }: z.output<typeof updateWebhookInput>,
): Partial<Pick<NewWebhookRow, 'events' | 'allEvents'>> {
  if (allEvents === true) return { events: allTypesWith(events ?? before.events), allEvents };
  return {
    ...(events && { events }),
    ...((events || allEvents === false) && { allEvents: false }),
  };
}

/**
 * The event types that the change sends to a receiver that did not get them before. Pending
 * deliveries go to a new URL even if the webhook no longer subscribes to their types.
 */
async function newToReceiver(
  tx: Tx,
  before: WebhookRow,
  {
    url,
    filter = before.filter,
    events = before.events,
  }: Pick<Update['input'], 'url' | 'filter'> & { events?: EventType[] | undefined },
): Promise<EventType[]> {
  if (url === undefined || url === before.url) {
    // With another filter, other events of the same types are sent.
    if (!isNoOp(before, { filter })) return events;
    return events.filter((type) => !before.events.includes(type));
  }
  return [...events, ...(await listPendingTypes(tx, before, restrictedTypes))];
}

/** The event types about keys and webhooks, which only those may read who see these. */
const restrictedTypes = eventTypes.filter((type) => eventAccessOf(type) !== null);

/** Whether what a worker has read of the webhook is out of date. */
function isSentOtherwise(before: WebhookRow, after: WebhookRow): boolean {
  return after.url !== before.url || after.maxPerSecond !== before.maxPerSecond;
}

function auditedFields(webhook: WebhookRow) {
  const {
    name,
    url,
    events,
    allEvents,
    filter,
    headerNames,
    maxPerSecond,
    contactEmail,
    isActive,
  } = webhook;
  return {
    name,
    url,
    events,
    all_events: allEvents,
    filter,
    header_names: headerNames,
    max_deliveries_per_second: maxPerSecond,
    contact_email: contactEmail,
    is_active: isActive,
  };
}

function activation(
  before: WebhookRow,
  isActive: boolean | undefined,
  now: Date,
): Partial<NewWebhookRow> {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive
    ? { isActive, inactiveSince: null, inactiveReason: null }
    : { isActive, inactiveSince: now, inactiveReason: 'paused' };
}

/** Gives the webhooks that subscribe to all event types those that this version adds. */
export async function addNewTypes(ctx: Pick<Context, 'db'>): Promise<void> {
  await addTypesToAll(ctx.db);
}
