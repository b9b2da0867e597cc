import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { mailUnconfirmed, mayNotConfirm } from '../../people/notices/notices.ts';
import { scopesOfKey } from '../rules.ts';
import {
  claimTokenMail,
  listUnmailedTokens,
  type UnmailedToken,
} from '../store/keys-to-mail-about.ts';

/** Emails about tokens that were shown and neither confirmed nor used. They do not change. */
export async function mailUnconfirmedTokens(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  await mailUnconfirmed(ctx, {
    noun: 'token',
    list: listUnmailedTokens,
    claim: claimTokenMail,
    subjectOf: ({ key }) => key,
    mail: (found, rights) => unconfirmedTokenMail(ctx, found, rights),
  });
}

export function unconfirmedTokenMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour,
    unconfirmedSince,
  }: Pick<UnmailedToken, 'lastFour' | 'unconfirmedSince'> & {
    key: Pick<UnmailedToken['key'], 'id' | 'accountId' | 'name' | 'type' | 'scopes'>;
  },
  rights: MemberRights,
): MailContent {
  return {
    kind: 'api_key.unconfirmed',
    subject: `Token not confirmed: API key ${quoteShortName(key.name)}`,
    paragraphs: [
      `A token of the API key ${quoteName(key.name)} was shown to you. You have not confirmed that you have it, and no successful call was made with it.`,
      `It stays valid; nothing changes automatically. ${whatCanBeDone(rights, scopesOfKey(key))}`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Token', `ends in ${lastFour}`],
      ['Shown to you', formatExact(unconfirmedSince, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

function whatCanBeDone(rights: MemberRights, scopes: readonly Scope[]): string {
  if (!memberMay(rights, 'api-keys.rotate')) return mayNotConfirm;
  return mayBeShown(rights, scopes)
    ? 'On the page of the key, you can confirm that you have it, or get a new one.'
    : 'On the page of the key, you can confirm that you have it. For a new one, ask an owner or an admin.';
}
