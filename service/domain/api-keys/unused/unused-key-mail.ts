import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import type { UnusedKey } from '../store/unused-keys.ts';

/** Says that no successful call was made with a key for 90 days, to those who can revoke it. */
export function unusedKeyMail(
  ctx: Pick<Context, 'config'>,
  key: Pick<UnusedKey, 'id' | 'accountId' | 'name' | 'isUsed' | 'unusedSince'>,
): MailContent {
  return {
    kind: 'api_key.unused',
    subject: `The API key ${quoteShortName(key.name)} has not been used for 90 days`,
    paragraphs: [
      `No successful call was made with the API key ${quoteName(key.name)} for 90 days. If nobody needs it, revoke it: a key that is not in use can still be stolen.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      [key.isUsed ? 'Last used' : 'Created, never used', formatExact(key.unusedSince, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
    closing: ['The key stays as it is; nothing happens by itself.'],
  };
}
