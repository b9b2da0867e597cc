import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { PersonActor } from '../../actor.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';

/**
 * Tells the owners that a key was revoked as leaked, by somebody whose role does not otherwise
 * allow that.
 */
export function leakRevocationMail(
  ctx: Pick<Context, 'config'>,
  {
    actor,
    key,
    now,
  }: {
    actor: Pick<PersonActor, 'accountId' | 'personName'>;
    key: { id: number; name: string };
    now: Date;
  },
): MailContent {
  return {
    kind: 'api_key.revoked_as_leaked',
    subject: `The API key ${quoteShortName(key.name)} was revoked as leaked`,
    paragraphs: [
      `${quoteName(actor.personName)} reported that the token of the API key ${quoteName(key.name)} may have leaked, and revoked the key.`,
      'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Revoked by', plainName(actor.personName)],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, actor.accountId, `settings/api-keys/${key.id}`),
    },
  };
}
