import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { quoteName, quoteShortName } from '../../quote-name.ts';

type Doer = Pick<PersonActor, 'accountId' | 'personName' | 'email'>;
type LinkContext = { config: Pick<Context['config'], 'publicUrl'> };

/** The email that says who deleted an account, and until when it can be restored. */
export function accountDeletedMail(
  ctx: LinkContext,
  { accountId, personName, email }: Doer,
  { accountName, erasedAt }: { accountName: string; erasedAt: Date },
): MailContent {
  return {
    kind: 'account.deleted',
    subject: `The account ${quoteShortName(accountName)} was deleted`,
    paragraphs: [
      `${quoteName(personName)} (${email}) deleted the account ${quoteName(accountName)}. Its API keys have stopped working, and nothing is sent to its webhooks.`,
      `An owner can restore it until ${formatExact(erasedAt, 'UTC')}. After that, everything in it is erased and cannot be recovered.`,
    ],
    action: openAccount(ctx, accountId),
  };
}

/** The email that says who restored an account. */
export function accountRestoredMail(
  ctx: LinkContext,
  { accountId, personName, email }: Doer,
  accountName: string,
): MailContent {
  return {
    kind: 'account.restored',
    subject: `The account ${quoteShortName(accountName)} was restored`,
    paragraphs: [
      `${quoteName(personName)} (${email}) restored the account ${quoteName(accountName)}. Its API keys work again, and what waited for its webhooks is sent.`,
      'Calls that were refused meanwhile are not repeated.',
    ],
    action: openAccount(ctx, accountId),
  };
}

function openAccount(ctx: LinkContext, accountId: AccountId): MailContent['action'] {
  return { label: 'Open the account', url: dashboardLink(ctx, accountId, 'settings/account') };
}
