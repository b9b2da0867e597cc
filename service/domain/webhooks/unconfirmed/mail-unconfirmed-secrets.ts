import { memberMay } from '#lib/contract/api-keys/ceiling.ts';
import type { MemberRights } from '#lib/contract/api-keys/ceiling.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { quoteName } from '../../quote-name.ts';
import { mailRecipient, mayNotConfirm, shownBefore } from '../../unconfirmed-mail.ts';
import { describeSigning } from '../describe-signing.ts';
import { claimSecretMail, listUnmailedSecrets } from '../store.ts';

/**
 * Tells by mail whoever was shown a signing secret a day ago and has not confirmed having it. That
 * deliveries are signed with it says nothing about who has it. Each is told once, by whichever
 * process comes first. The secret stays as it is.
 */
export async function mailUnconfirmedSecrets(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const due = { shownBefore: shownBefore(now), now };
  for (const uuid of await listUnmailedSecrets(ctx.db, due.shownBefore)) {
    const unconfirmed = await claimSecretMail(ctx.db, uuid, due);
    if (!unconfirmed) continue;
    const { webhook, revealedTo, unconfirmedSince } = unconfirmed;
    const name = quoteName(webhook.name);
    await mailRecipient(ctx, {
      accountId: webhook.accountId,
      revealedTo,
      subject: `Nobody confirmed having the signing secret of the webhook ${name}`,
      lines: (rights) => [
        `The signing secret of the webhook ${name} was shown to you on ${formatExact(unconfirmedSince, 'UTC')}, and you have not confirmed having it.`,
        webhook.inactiveReason === 'setup'
          ? 'Nothing is sent to the webhook until its set-up is finished, which shows a new secret.'
          : `${describeSigning(webhook)} Nothing happens by itself. ${whatCanBeDone(rights)}`,
      ],
      page: `settings/webhooks/${webhook.id}`,
    });
  }
}

function whatCanBeDone(rights: MemberRights): string {
  return memberMay(rights, 'webhooks.regenerate-secret')
    ? 'The page of the webhook lets you say that you have it, or be shown a new one.'
    : mayNotConfirm;
}
