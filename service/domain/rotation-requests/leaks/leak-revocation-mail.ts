import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent, MailFact } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';

/**
 * Tells owners and admins that a key was revoked as leaked, by somebody whose role does not
 * otherwise allow that.
 */
export function leakRevocationMail(
  ctx: { config: Pick<Context['config'], 'publicUrl'> },
  {
    key,
    note,
    revokedBy,
    now,
  }: {
    key: { accountId: string; id: number; name: string };
    /** The note of the report. */
    note: string | null;
    /** From `describeActor`. */
    revokedBy: readonly MailFact[];
    now: Date;
  },
): MailContent {
  return {
    kind: 'api_key.revoked_as_leaked',
    subject: `Leaked: the API key ${quoteShortName(key.name)} was revoked`,
    paragraphs: [
      `Somebody reported that the token of the API key ${quoteName(key.name)} may have leaked, and revoked the key.`,
      'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
    ],
    facts: [
      ['API key', plainName(key.name)],
      ...revokedBy,
      ['Time', formatExact(now, 'UTC')],
      ...(note === null ? [] : [['Note', plainName(note)] as const]),
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}
