import type { z } from 'zod';
import { eventAccessOf, eventTypes } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import { updateWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { updateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { listChanges, recordAudit } from '../audit/record-audit.ts';
import { listPendingTypes } from '../deliveries/read-deliveries.ts';
import { changesNothing } from '../changes-nothing.ts';
import { invalid, notFound } from '../errors.ts';
import { notifyOfChangedWebhook, pauseLane, resumeLane } from '../lanes/statements/lanes.ts';
import { countBacklog, isCountOf, replayBacklog } from '../replays/replay-backlog.ts';
import type { Backlog, CountedBacklog } from '../replays/replay-backlog.ts';
import { parseResourceReference } from '../resource-reference.ts';
import type { ResourceReference } from '../resource-reference.ts';
import { closeWebhookRequests } from '../rotation-requests/outcomes/close-open-requests.ts';
import { acceptTarget } from './target/accept-target.ts';
import { cancelBacklog, cancelRestOfBacklog } from './backlog.ts';
import { confirmReader } from './lock-webhook.ts';
import { describeWebhook } from './read-webhooks.ts';
import { secretPeriodsOf } from './store/secrets.ts';
import {
  lockWebhook,
  updateWebhookRow,
  type NewWebhookRow,
  type WebhookRow,
} from './store/webhooks.ts';

type Update = {
  ctx: Context;
  actor: Actor;
  input: z.output<typeof updateWebhookInput>;
  reference: ResourceReference;
};

/** `now`: when the webhook was locked. */
type Planned = { before: WebhookRow; change: Partial<NewWebhookRow>; now: Date };

/**
 * Changes a webhook, pauses it (`is_active: false`) or resumes it. While it is paused, no
 * deliveries are created and pending ones wait. Resuming resets its failure count, and continues
 * pending deliveries unless `backlog` says otherwise.
 *
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR (a URL that may not be called, `backlog` for a
 *   webhook that is already active), FORBIDDEN for events that the actor may not read
 */
export async function updateWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof updateWebhookInput>,
): Promise<Webhook> {
  const reference = parseResourceReference(input.webhook);
  if (!reference) throw notFound();
  const update = { ctx, actor, input, reference };
  const check = async () => await ctx.db.transaction((tx) => lockAndCheck(tx, update));
  if (input.backlog === 'skip') {
    // Checked first, so that nothing is cancelled for a change that is refused.
    await check();
    await cancelBacklog(ctx, actor, reference);
  }
  let updated: Webhook | null = null;
  while (updated === null) {
    const counted =
      input.backlog === 'deliver' ? await countBacklog(ctx, actor, backlogOf(await check())) : null;
    updated = await ctx.db.transaction((tx) => carryOut(tx, update, counted));
  }
  return updated;
}

async function lockAndCheck(tx: Tx, { ctx, actor, input, reference }: Update): Promise<Planned> {
  await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
  const before = await lockWebhook(tx, actor.accountId, reference);
  if (!before) throw notFound();
  await confirmReader(tx, actor, {
    events: await newToReceiver(tx, before, input),
    clock: ctx.clock,
  });
  if (input.backlog && before.isActive) {
    throw invalid('backlog', 'This webhook is active already. Replay a window instead.');
  }
  const now = ctx.clock.now();
  const change: Partial<NewWebhookRow> = {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.url !== undefined && { url: acceptTarget(ctx, input.url) }),
    ...(input.events !== undefined && { events: input.events }),
    ...activation(before, input.is_active, now),
  };
  return { before, change, now };
}

/** The changed webhook; null if another backlog was counted than the one to deliver. */
async function carryOut(
  tx: Tx,
  update: Update,
  counted: CountedBacklog | null,
): Promise<Webhook | null> {
  const { ctx, actor, input } = update;
  const { before, change, now } = await lockAndCheck(tx, update);
  if (counted && !isCountOf(counted, backlogOf({ before, change }))) return null;
  const describe = async (webhook: WebhookRow) =>
    describeWebhook({ webhook, secrets: await secretPeriodsOf(tx, webhook, now) }, actor);
  if (changesNothing(before, change)) return await describe(before);
  if (input.backlog === 'skip') await cancelRestOfBacklog(tx, before, now);
  let webhook = await updateWebhookRow(tx, before, { ...change, updatedAt: now });
  if (change.isActive === false) await pauseLane(tx, webhook.id);
  else if (webhook.url !== before.url) await notifyOfChangedWebhook(tx, webhook.id);
  if (change.isActive === true) {
    await resumeLane(tx, { webhookId: webhook.id, now });
    webhook = { ...webhook, failureCount: 0, failingSince: null };
    await closeWebhookRequests(tx, actor, { webhook, act: 'resume', now });
  }
  await recordAudit(tx, {
    actor,
    action: 'webhook.updated',
    at: now,
    target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
    changes: {
      ...listChanges(auditedFields(before), auditedFields(webhook)),
      ...(input.backlog && { backlog: input.backlog }),
    },
  });
  if (counted) await replayBacklog({ tx, actor, clock: ctx.clock }, webhook, counted);
  return await describe(webhook);
}

function backlogOf({ before, change }: Omit<Planned, 'now'>): Backlog {
  return {
    webhook: { ...before, events: change.events ?? before.events },
    inactiveSince: before.inactiveSince ?? before.createdAt,
    failingSince: before.failingSince,
  };
}

/**
 * The event types that the change sends to a receiver that did not get them before. Pending
 * deliveries go to a new URL even if the webhook no longer subscribes to their types.
 */
async function newToReceiver(
  tx: Tx,
  before: WebhookRow,
  { url, events = before.events }: z.output<typeof updateWebhookInput>,
): Promise<EventType[]> {
  if (url === undefined || url === before.url) {
    return events.filter((type) => !before.events.includes(type));
  }
  return [...events, ...(await listPendingTypes(tx, before, restrictedTypes))];
}

/** The event types about keys and webhooks, which only those may read who see these. */
const restrictedTypes = eventTypes.filter((type) => eventAccessOf(type) !== null);

function auditedFields({ name, url, events, isActive }: WebhookRow) {
  return { name, url, events, is_active: isActive };
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
