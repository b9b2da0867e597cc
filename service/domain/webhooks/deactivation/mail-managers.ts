import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { mintAccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { listMembers } from '../../people/members/list-members.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { deactivationDate } from './deactivation-rules.ts';
import type { DeactivationReason } from './deactivation-rules.ts';
import type { WebhookRow } from '../store.ts';

type MailContext = Pick<Context, 'db' | 'log' | 'mail' | 'config'>;
type Named = Pick<WebhookRow, 'id' | 'accountId' | 'name'>;

/**
 * Sends the warning that a webhook fails, with the time of its deactivation. Call it after the
 * commit.
 */
export async function mailWarning(
  ctx: MailContext,
  webhook: WebhookRow,
  failingSince: Date,
): Promise<void> {
  await mailManagers(ctx, webhook, warningMail(ctx, webhook, failingSince));
}

export function warningMail(
  ctx: Pick<Context, 'config'>,
  webhook: Named,
  failingSince: Date,
): MailContent {
  return {
    kind: 'webhook.failing',
    subject: `The webhook ${quoteShortName(webhook.name)} is failing`,
    paragraphs: [
      `Deliveries to the webhook ${quoteName(webhook.name)} fail. If none succeeds before the time below, it is deactivated: then nothing is sent to it until somebody resumes it.`,
    ],
    facts: [
      ['Webhook', plainName(webhook.name)],
      ['Failing since', formatExact(failingSince, 'UTC')],
      ['Deactivated after', formatExact(deactivationDate(failingSince), 'UTC')],
    ],
    action: openWebhook(ctx, webhook),
  };
}

/** Says that a webhook was deactivated, and why. To be called after the commit. */
export async function mailDeactivation(
  ctx: MailContext,
  webhook: WebhookRow,
  reason: DeactivationReason,
): Promise<void> {
  await mailManagers(ctx, webhook, deactivationMail(ctx, webhook, reason));
}

export function deactivationMail(
  ctx: Pick<Context, 'config'>,
  webhook: Named,
  reason: DeactivationReason,
): MailContent {
  const name = quoteName(webhook.name);
  return {
    kind: 'webhook.deactivated',
    subject: `The webhook ${quoteShortName(webhook.name)} was deactivated`,
    paragraphs: [
      reason === 'gone'
        ? `The receiver of the webhook ${name} answered that it wants nothing more (410 Gone), so sending stopped.`
        : `The webhook ${name} failed for five days.`,
      'Nothing is sent to it until somebody resumes it. Pending deliveries are kept until then.',
    ],
    action: openWebhook(ctx, webhook),
  };
}

function openWebhook(ctx: Pick<Context, 'config'>, { id, accountId }: Named) {
  return {
    label: 'Open the webhook',
    url: dashboardLink(ctx, accountId, `settings/webhooks/${id}`),
  };
}

/** To owners and admins, who can mend it. A mail that cannot be made is logged: all of it stands in the dashboard. */
async function mailManagers(
  ctx: MailContext,
  webhook: WebhookRow,
  mail: MailContent,
): Promise<void> {
  try {
    const members = await listMembers(ctx.db, mintAccountId(webhook.accountId));
    for (const { email, name, role } of members) {
      if (role !== 'owner' && role !== 'admin') continue;
      ctx.mail.send({ ...mail, to: email, name: plainName(name) });
    }
  } catch (error) {
    ctx.log.error({ err: error, webhookId: webhook.id }, 'nobody could be told of a webhook');
  }
}
