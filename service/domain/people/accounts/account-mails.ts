import { formatExact } from '#lib/time.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { quoteName, quoteShortName } from '../../quote-name.ts';

type Doer = { personName: string; email: string };

/** What every mail to the owners of an account leaves to `mailOwners`: the link to its settings. */
export type AccountMail = Omit<MailContent, 'action'>;

/** Says who deleted an account, and until when it can be restored. */
export function accountDeletedMail(
  { personName, email }: Doer,
  { accountName, erasedAt }: { accountName: string; erasedAt: Date },
): AccountMail {
  return {
    kind: 'account.deleted',
    subject: `The account ${quoteShortName(accountName)} was deleted`,
    paragraphs: [
      `${quoteName(personName)} (${email}) deleted the account ${quoteName(accountName)}. Its API keys have stopped working, and nothing is sent to its webhooks.`,
      `An owner can restore it until ${formatExact(erasedAt, 'UTC')}. After that, everything in it is erased and cannot be recovered.`,
    ],
  };
}

/** Says who restored an account. */
export function accountRestoredMail({ personName, email }: Doer, accountName: string): AccountMail {
  return {
    kind: 'account.restored',
    subject: `The account ${quoteShortName(accountName)} was restored`,
    paragraphs: [
      `${quoteName(personName)} (${email}) restored the account ${quoteName(accountName)}. Its API keys work again, and what waited for its webhooks is sent.`,
      'Calls that were refused meanwhile are not repeated.',
    ],
  };
}
