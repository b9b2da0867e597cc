import { dayMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import type { ApiKeyRow } from '../store/keys.ts';

/** The email that says a key expires soon, for those who can change its expiry. */
export function expiringKeyMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour,
    expiresAt,
    now,
  }: {
    key: Pick<ApiKeyRow, 'id' | 'accountId' | 'name'>;
    lastFour: string;
    expiresAt: Date;
    now: Date;
  },
): MailContent {
  const isLastDay = expiresAt.getTime() - now.getTime() <= dayMs;
  const when = isLastDay ? 'within a day' : 'within 7 days';
  return {
    kind: 'api_key.expiring',
    subject: `The API key ${quoteShortName(key.name)} expires ${when}`,
    paragraphs: [
      `The API key ${quoteName(key.name)} expires at the time below. From then on, every call made with it is refused. If it is still needed, give it a later expiry before that.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Token', `ends in ${lastFour}`],
      ['Expires', formatExact(expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}
