import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { actOnEach } from '../../act-on-each.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { deactivationDate, dueWarnings } from './deactivation-rules.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { notifyManagers, warningMail } from './deactivation-mails.ts';
import { countWarning, listUnwarnedWebhooks, lockActiveWebhooks } from '../store/webhooks.ts';

/** The name of the service in records of acts that follow from deliveries. */
export const deliverySystem: ActorReference = { kind: 'system', id: null, name: 'Delivery' };

/**
 * Warns the accounts of webhooks that have failed for half of the time after which they are
 * deactivated, and again a day before that: in the audit log, and by email to those who can fix
 * them. Each warning is given once, by whichever process comes first. If one fails, the next
 * run gives it.
 */
export async function warnOfDeactivation(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  // The last warning comes first: a webhook that gets it no longer needs an earlier one that was
  // missed.
  for (const due of dueWarnings(now)) {
    await actOnEach(await listUnwarnedWebhooks(ctx.db, due), {
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
  const notices = await ctx.db.transaction(async (tx) => {
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
  if (!notices) return;
  ctx.log.warn({ webhook_id: id, warning: due.warningCount }, 'webhook is close to deactivation');
  sendNotices(ctx, notices);
}
