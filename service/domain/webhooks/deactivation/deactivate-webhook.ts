import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { processEach } from '../../process-each.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import type { AnnouncingContext } from '../../events/announcing-context.ts';
import { publishEvent } from '../../events/publish-event.ts';
import type { Mail } from '../../../mail/mail.ts';
import { sendNotices, type Notice } from '../../people/notices/notices.ts';
import { deactivationDate, dueWarnings, type DeactivationReason } from '../rules.ts';
import {
  awaitRecovery,
  claimFailing,
  claimRecovery,
  countWarning,
  listRecovered,
  listUnannouncedFailing,
  listUnwarnedWebhooks,
  lockActiveWebhooks,
  lockWebhooks,
  updateWebhookRow,
  type WebhookRow,
} from '../store/webhooks.ts';
import {
  deactivationMail,
  failingMail,
  notifyManagers,
  recoveryMail,
  warningMail,
} from './deactivation-mails.ts';

/** What to do after the commit: emails to send, and webhooks whose lanes to wake. */
export type Announced = { notices: Notice[]; toContact: Mail | null; toQueue: number[] };

/** The active ones among the webhooks, by id, locked until the transaction ends. */
export async function lockForDeactivation(
  tx: Tx,
  webhookIds: readonly number[],
): Promise<WebhookRow[]> {
  return await lockActiveWebhooks(tx, webhookIds);
}

/** The same, including inactive webhooks. */
export async function lockWebhooksOf(tx: Tx, webhookIds: readonly number[]): Promise<WebhookRow[]> {
  return await lockWebhooks(tx, webhookIds);
}

/**
 * Stops deliveries to a locked webhook until a member resumes it; pending deliveries wait. Other
 * webhooks that subscribe to this event are sent one.
 */
export async function deactivateWebhook(
  ctx: Pick<Context, 'clock' | 'log' | 'config' | 'effects' | 'tracing'>,
  { tx, webhook, reason }: { tx: Tx; webhook: WebhookRow; reason: DeactivationReason },
): Promise<Announced> {
  const now = ctx.clock.now();
  await updateWebhookRow(tx, webhook, {
    isActive: false,
    inactiveSince: now,
    inactiveReason: reason,
    updatedAt: now,
  });
  await awaitRecovery(tx, webhook.id, now);
  await runEffects(tx, ctx.effects.webhookPaused, { webhook });
  const accountId = mintAccountId(webhook.accountId);
  const { id, uuid, name } = webhook;
  const toQueue = await publishEvent(ctx, tx, {
    accountId,
    origin: null,
    now,
    event: { type: 'webhook.deactivated', data: { webhook: { id, uuid, name }, reason } },
  });
  await recordAudit(tx, {
    accountId,
    by: deliverySystem,
    origin: null,
    action: 'webhook.deactivated',
    at: now,
    target: { kind: 'webhook', id: uuid, name },
    changes: { reason, failing_since: webhook.failingSince, failure_count: webhook.failureCount },
  });
  ctx.log.warn({ webhook_id: webhook.id, reason }, 'webhook deactivated');
  const mail = deactivationMail(ctx, webhook, reason);
  const occasion = now.toISOString();
  return { ...(await notifyManagers(tx, { webhook, occasion, mail, now })), toQueue };
}

/** Webhooks that one run announces; the next run, seconds later, takes the others. */
const batchSize = 500;

/**
 * Announces active webhooks that began to fail, with an event and an email to those who can fix
 * them: each webhook once until it succeeds again, by the process that comes first. A webhook that
 * works again before that is not announced. For a webhook that fails and works in turns, people get
 * one email a day.
 */
export async function announceFailing(ctx: AnnouncingContext): Promise<void> {
  await processEach(await listUnannouncedFailing(ctx.db, ctx.clock.now(), batchSize), {
    act: async ({ id }) => await announce(ctx, id),
    log: ctx.log,
    failure: 'a failing webhook was not announced yet',
    name: ({ id }) => ({ webhook_id: id }),
  });
}

async function announce(ctx: AnnouncingContext, webhookId: number): Promise<void> {
  const announced = await ctx.db.transaction(async (tx): Promise<Announced | null> => {
    const now = ctx.clock.now();
    const [webhook] = await lockActiveWebhooks(tx, [webhookId]);
    if (!webhook) return null;
    const failing = await claimFailing(tx, webhookId, now);
    if (!failing) return null;
    const { id, uuid, name } = webhook;
    const toQueue = await publishEvent(ctx, tx, {
      accountId: mintAccountId(webhook.accountId),
      origin: null,
      now,
      event: {
        type: 'webhook.failing',
        data: {
          webhook: { id, uuid, name },
          failing_since: formatApiTime(failing.failingSince),
          failure_count: failing.failureCount,
          deactivates_at: formatApiTime(deactivationDate(failing.failingSince)),
        },
      },
    });
    const mail = failingMail(ctx, webhook, failing);
    const occasion = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
    return { toQueue, ...(await notifyManagers(tx, { webhook, occasion, mail, now })) };
  });
  if (announced) sendAnnounced(ctx, announced);
}

/** Wakes lanes and sends emails, after the commit. */
export function sendAnnounced(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'laneNotifier'>,
  { notices, toContact, toQueue }: Announced,
): void {
  ctx.laneNotifier.queue(toQueue);
  sendNotices(ctx, notices);
  if (toContact) ctx.mail.send(toContact);
}

/**
 * Announces webhooks that work again after they were failing, also those that were deactivated and
 * resumed: each once, by the process that comes first, with an event and an email.
 */
export async function announceRecoveries(ctx: AnnouncingContext): Promise<void> {
  await processEach(await listRecovered(ctx.db, batchSize), {
    act: async ({ id }) => await announceRecovery(ctx, id),
    log: ctx.log,
    failure: 'a webhook that works again was not announced yet',
    name: ({ id }) => ({ webhook_id: id }),
  });
}

async function announceRecovery(ctx: AnnouncingContext, webhookId: number): Promise<void> {
  const announced = await ctx.db.transaction(async (tx): Promise<Announced | null> => {
    const [webhook] = await lockActiveWebhooks(tx, [webhookId]);
    if (!webhook || !(await claimRecovery(tx, webhookId))) return null;
    const now = ctx.clock.now();
    const { id, uuid, name } = webhook;
    const toQueue = await publishEvent(ctx, tx, {
      accountId: mintAccountId(webhook.accountId),
      origin: null,
      now,
      event: { type: 'webhook.recovered', data: { webhook: { id, uuid, name } } },
    });
    const mail = recoveryMail(ctx, webhook);
    const occasion = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
    return { toQueue, ...(await notifyManagers(tx, { webhook, occasion, mail, now })) };
  });
  if (announced) sendAnnounced(ctx, announced);
}

/** The name of the service in records of acts that follow from deliveries. */
const deliverySystem: ActorReference = { kind: 'system', id: null, name: 'Delivery' };

/**
 * Warns the accounts of webhooks that have failed for half of the time after which they are
 * deactivated, and again a day before that: in the audit log, and by email to those who can fix
 * them. Each warning is given once, by the process that comes first. If one fails, the next
 * run gives it.
 */
export async function warnOfDeactivation(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  // The last warning comes first: a webhook that gets it no longer needs an earlier one that was
  // missed.
  for (const due of dueWarnings(now)) {
    await processEach(await listUnwarnedWebhooks(ctx.db, due), {
      act: async ({ id }) => await warn(ctx, { id, due, now }),
      log: ctx.log,
      failure: 'the warning of a deactivation failed',
      name: ({ id }) => ({ webhook_id: id }),
    });
  }
}

async function warn(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
  { id, due, now }: { id: number; due: { warningCount: number; failingBy: Date }; now: Date },
): Promise<void> {
  const announced = await ctx.db.transaction(async (tx) => {
    const [webhook] = await lockActiveWebhooks(tx, [id]);
    if (!webhook?.failingSince) return null;
    if (!(await countWarning(tx, { webhookId: id, ...due }))) return null;
    await recordAudit(tx, {
      accountId: mintAccountId(webhook.accountId),
      by: deliverySystem,
      origin: null,
      action: 'webhook.deactivation_warned',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: {
        failing_since: webhook.failingSince,
        failure_count: webhook.failureCount,
        deactivates_at: deactivationDate(webhook.failingSince),
      },
    });
    const mail = warningMail(ctx, webhook, webhook.failingSince);
    const occasion = `${webhook.failingSince.toISOString()} ${due.warningCount}`;
    return await notifyManagers(tx, { webhook, occasion, mail, now });
  });
  if (!announced) return;
  ctx.log.warn({ webhook_id: id, warning: due.warningCount }, 'webhook is close to deactivation');
  sendNotices(ctx, announced.notices);
  if (announced.toContact) ctx.mail.send(announced.toContact);
}
