import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
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
import { scopesOfKey } from '../rules.ts';
import {
  claimTokenMail,
  listUnmailedTokens,
  type UnmailedToken,
} from '../store/keys-to-mail-about.ts';

/**
 * Emails each person who was shown a token a day ago and has not confirmed having it, unless a call
 * was made with the token. Each person gets the email once, from the process that comes first. The
 * token does not change. If an email fails, the next run sends it.
 */
export async function mailUnconfirmedTokens(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const due = { shownBefore: shownBefore(now), now };
  await processEach(await listUnmailedTokens(ctx.db, due), {
    act: async (tokenId) => await mailUnconfirmedToken(ctx, { tokenId, due }),
    log: ctx.log,
    failure: 'the email about an unconfirmed token could not be sent yet',
    name: (tokenId) => ({ token_id: tokenId }),
  });
}

async function mailUnconfirmedToken(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
  { tokenId, due }: { tokenId: number; due: { shownBefore: Date; now: Date } },
): Promise<void> {
  const notices = await ctx.db.transaction(async (tx) => {
    const unconfirmed = await claimTokenMail(tx, tokenId, due);
    if (!unconfirmed) return [];
    const { key, shownTo, unconfirmedSince } = unconfirmed;
    return await notifyRecipient(tx, {
      accountId: key.accountId,
      shownTo,
      subjectId: key.uuid,
      unconfirmedSince,
      now: due.now,
      mail: (rights) => unconfirmedTokenMail(ctx, unconfirmed, rights),
    });
  });
  sendNotices(ctx, notices);
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
