import { countOf } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { Mail, MailContent } from '../../../mail/mail.ts';
import { mintAccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { createNotices, type Notice } from '../../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { tellContact } from '../contact.ts';
import { deactivationDate, type DeactivationReason } from '../rules.ts';
import type { WebhookRow } from '../store/webhooks.ts';

type Linking = Pick<Context, 'config'>;
type Named = Pick<WebhookRow, 'id' | 'accountId' | 'name'>;

/** Emails those who can fix a locked webhook, and its contact, once for each occasion. */
export async function notifyManagers(
  tx: Tx,
  {
    webhook,
    occasion,
    mail,
    now,
  }: { webhook: WebhookRow; occasion: string; mail: MailContent; now: Date },
): Promise<{ notices: Notice[]; toContact: Mail | null }> {
  const notices = await createNotices(tx, {
    accountId: mintAccountId(webhook.accountId),
    to: { act: 'webhooks.update' },
    subjectId: webhook.uuid,
    occasion,
    now,
    mail: () => mail,
  });
  return { notices, toContact: await tellContact(tx, { webhook, occasion, mail, notices }) };
}

/** Says that a webhook began to fail, before any event is lost. */
export function failingMail(
  ctx: Linking,
  webhook: Named,
  { failingSince, failureCount }: { failingSince: Date; failureCount: number },
): MailContent {
  const attempts =
    failureCount === 1 ? 'The last attempt' : `The last ${countOf(failureCount, 'attempt')}`;
  return {
    kind: 'webhook.failing',
    subject: `The webhook ${quoteShortName(webhook.name)} is failing`,
    paragraphs: [
      `${attempts} to deliver to the webhook ${quoteName(webhook.name)} failed. The service retries deliveries for a while. See the page of the webhook for the responses of its receiver.`,
    ],
    facts: [
      ['Webhook', plainName(webhook.name)],
      ['Failing since', formatExact(failingSince, 'UTC')],
    ],
    action: openWebhook(ctx, webhook),
  };
}

/** The warning that a webhook has failed for days, with the time of its deactivation. */
export function warningMail(ctx: Linking, webhook: Named, failingSince: Date): MailContent {
  return {
    kind: 'webhook.deactivation_warned',
    subject: `The webhook ${quoteShortName(webhook.name)} will be deactivated`,
    paragraphs: [
      `Deliveries to the webhook ${quoteName(webhook.name)} have failed for days. If none succeeds before the time below, it is deactivated: then nothing is sent to it until someone resumes it.`,
    ],
    facts: [
      ['Webhook', plainName(webhook.name)],
      ['Failing since', formatExact(failingSince, 'UTC')],
      ['Deactivated after', formatExact(deactivationDate(failingSince), 'UTC')],
    ],
    action: openWebhook(ctx, webhook),
  };
}

/** Says that a webhook was deactivated, and why. */
export function deactivationMail(
  ctx: Linking,
  webhook: Named,
  reason: DeactivationReason,
): MailContent {
  const name = quoteName(webhook.name);
  return {
    kind: 'webhook.deactivated',
    subject: `The webhook ${quoteShortName(webhook.name)} was deactivated`,
    paragraphs: [
      reason === 'gone'
        ? `The receiver of the webhook ${name} responded with 410 Gone, which means that it does not want any more events. The service stopped sending.`
        : `The webhook ${name} failed for five days.`,
      'Nothing is sent to it until someone resumes it. Pending deliveries are kept until then.',
    ],
    action: openWebhook(ctx, webhook),
  };
}

/** Says that a webhook works again. */
export function recoveryMail(ctx: Linking, webhook: Named): MailContent {
  return {
    kind: 'webhook.recovered',
    subject: `The webhook ${quoteShortName(webhook.name)} works again`,
    paragraphs: [
      `The receiver of the webhook ${quoteName(webhook.name)} accepted a delivery again. Deliveries that wait for a retry are sent when they are due.`,
    ],
    facts: [['Webhook', plainName(webhook.name)]],
    action: openWebhook(ctx, webhook),
  };
}

function openWebhook(ctx: Linking, { id, accountId }: Named) {
  return {
    label: 'Open the webhook',
    url: dashboardLink(ctx, accountId, `settings/webhooks/${id}`),
  };
}
