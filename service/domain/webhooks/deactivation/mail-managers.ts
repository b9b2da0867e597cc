import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { listMembers } from '../../people/members/list-members.ts';
import { quoteName } from '../../quote-name.ts';
import { deactivationDate } from './deactivation-rules.ts';
import type { DeactivationReason } from './deactivation-rules.ts';
import type { WebhookRow } from '../store.ts';

type MailContext = Pick<Context, 'db' | 'log' | 'mail' | 'config'>;

/**
 * Sends the warning that a webhook fails, with the time of its deactivation. Call it after the
 * commit.
 */
export async function mailWarning(
  ctx: MailContext,
  webhook: WebhookRow,
  failingSince: Date,
): Promise<void> {
  await mailManagers(ctx, webhook, {
    subject: `The webhook ${quoteName(webhook.name)} is failing`,
    lines: [
      `The webhook ${quoteName(webhook.name)} has failed since ${formatExact(failingSince, 'UTC')}.`,
      `If no delivery succeeds before, it is deactivated after ${formatExact(deactivationDate(failingSince), 'UTC')}.`,
    ],
  });
}

/** Says that a webhook was deactivated, and why. To be called after the commit. */
export async function mailDeactivation(
  ctx: MailContext,
  webhook: WebhookRow,
  reason: DeactivationReason,
): Promise<void> {
  await mailManagers(ctx, webhook, {
    subject: `The webhook ${quoteName(webhook.name)} was deactivated`,
    lines: [
      reason === 'gone'
        ? `The receiver of the webhook ${quoteName(webhook.name)} answered that it wants nothing more (410 Gone), so sending stopped.`
        : `The webhook ${quoteName(webhook.name)} failed for five days.`,
      'Nothing is sent to it until somebody resumes it. Pending deliveries are kept until then.',
    ],
  });
}

/** To owners and admins, who can mend it. A mail that cannot be made is logged: all of it stands in the dashboard. */
async function mailManagers(
  ctx: MailContext,
  webhook: WebhookRow,
  { subject, lines }: { subject: string; lines: string[] },
): Promise<void> {
  try {
    const members = await listMembers(ctx.db, mintAccountId(webhook.accountId));
    const link = dashboardLink(ctx, webhook.accountId, `settings/webhooks/${webhook.id}`);
    for (const { email, role } of members) {
      if (role !== 'owner' && role !== 'admin') continue;
      ctx.mail.send({ to: email, subject, text: [...lines, link].join('\n\n') });
    }
  } catch (error) {
    ctx.log.error({ err: error, webhookId: webhook.id }, 'nobody could be told of a webhook');
  }
}
