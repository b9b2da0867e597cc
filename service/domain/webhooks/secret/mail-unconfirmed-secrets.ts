import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { processEach } from '../../process-each.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import {
  mayNotConfirm,
  notifyRecipient,
  shownBefore,
  sendNotices,
} from '../../people/notices/notices.ts';
import { claimSecretMail, listUnmailedSecrets, type UnmailedSecret } from '../store/secrets.ts';
import { describeSigning } from './secret.ts';

/**
 * Emails each person who was shown a signing secret a day ago and has not confirmed having it.
 * Deliveries that are signed with the secret do not show who has it. Each person gets the email
 * once, from the process that comes first. The secret does not change. If an email fails, the next
 * run sends it.
 */
export async function mailUnconfirmedSecrets(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const due = { shownBefore: shownBefore(now), now };
  await processEach(await listUnmailedSecrets(ctx.db, due.shownBefore), {
    act: async (uuid) => await mailUnconfirmedSecret(ctx, { uuid, due }),
    log: ctx.log,
    failure: 'the email about an unconfirmed secret could not be sent yet',
    name: (uuid) => ({ secret_id: uuid }),
  });
}

async function mailUnconfirmedSecret(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
  { uuid, due }: { uuid: string; due: { shownBefore: Date; now: Date } },
): Promise<void> {
  const notices = await ctx.db.transaction(async (tx) => {
    const unconfirmed = await claimSecretMail(tx, uuid, due);
    if (!unconfirmed) return [];
    const { webhook, shownTo, unconfirmedSince } = unconfirmed;
    return await notifyRecipient(tx, {
      accountId: webhook.accountId,
      shownTo,
      subjectId: webhook.uuid,
      unconfirmedSince,
      now: due.now,
      mail: (rights) => unconfirmedSecretMail(ctx, unconfirmed, rights),
    });
  });
  sendNotices(ctx, notices);
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
