import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { mailUnconfirmed, mayNotConfirm } from '../../people/notices/notices.ts';
import { claimSecretMail, listUnmailedSecrets, type UnmailedSecret } from '../store/secrets.ts';
import { describeSigning } from './secret.ts';

/**
 * Emails about signing secrets that were shown and not confirmed: deliveries that are signed with
 * one do not show who has it. The secrets do not change.
 */
export async function mailUnconfirmedSecrets(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  await mailUnconfirmed(ctx, {
    noun: 'secret',
    list: listUnmailedSecrets,
    claim: claimSecretMail,
    subjectOf: ({ webhook }) => webhook,
    mail: (found, rights) => unconfirmedSecretMail(ctx, found, rights),
  });
}

export function unconfirmedSecretMail(
  ctx: Pick<Context, 'config'>,
  {
    webhook,
    unconfirmedSince,
  }: Pick<UnmailedSecret, 'unconfirmedSince'> & {
    webhook: Omit<UnmailedSecret['webhook'], 'uuid'>;
  },
  rights: MemberRights,
): MailContent {
  return {
    kind: 'webhook.secret_unconfirmed',
    subject: `Signing secret not confirmed: webhook ${quoteShortName(webhook.name)}`,
    paragraphs: [
      `The signing secret of the webhook ${quoteName(webhook.name)} was shown to you, and you have not confirmed that you have it.`,
      webhook.inactiveReason === 'setup'
        ? 'Nothing is sent to the webhook until its set-up is finished, which shows a new secret.'
        : `${describeSigning(webhook)} Nothing changes automatically. ${whatCanBeDone(rights)}`,
    ],
    facts: [
      ['Webhook', plainName(webhook.name)],
      ['Shown to you', formatExact(unconfirmedSince, 'UTC')],
    ],
    action: {
      label: 'Open the webhook',
      url: dashboardLink(ctx, webhook.accountId, `settings/webhooks/${webhook.id}`),
    },
  };
}

function whatCanBeDone(rights: MemberRights): string {
  return memberMay(rights, 'webhooks.regenerate-secret')
    ? 'On the page of the webhook, you can confirm that you have it, or get a new one.'
    : mayNotConfirm;
}
