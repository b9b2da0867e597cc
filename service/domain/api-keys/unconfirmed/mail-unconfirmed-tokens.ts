import { mayBeShown, memberMay } from '#lib/contract/api-keys/ceiling.ts';
import type { MemberRights } from '#lib/contract/api-keys/ceiling.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { mailRecipient, mayNotConfirm, shownBefore } from '../../unconfirmed-mail.ts';
import { quoteName } from '../../quote-name.ts';
import { scopesOfKey } from '../rules.ts';
import { claimTokenMail, listUnmailedTokens } from '../store.ts';

/**
 * Tells by mail whoever was shown a token a day ago and has not confirmed having it, unless a call was
 * made with it. Each is told once, by whichever process comes first. The token stays as it is.
 */
export async function mailUnconfirmedTokens(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const due = { shownBefore: shownBefore(now), now };
  for (const tokenId of await listUnmailedTokens(ctx.db, due)) {
    const unconfirmed = await claimTokenMail(ctx.db, tokenId, due);
    if (!unconfirmed) continue;
    const { key, lastFour, revealedTo, unconfirmedSince } = unconfirmed;
    const name = quoteName(key.name);
    await mailRecipient(ctx, {
      accountId: key.accountId,
      revealedTo,
      subject: `Nobody confirmed having the token of the API key ${name}`,
      lines: (rights) => [
        `The token of the API key ${name} that ends in ${lastFour} was shown to you on ${formatExact(unconfirmedSince, 'UTC')}. You have not confirmed having it, and no call was made with it.`,
        `It stays valid; nothing happens by itself. ${whatCanBeDone(rights, scopesOfKey(key))}`,
      ],
      page: `settings/api-keys/${key.id}`,
    });
  }
}

function whatCanBeDone(rights: MemberRights, scopes: readonly Scope[]): string {
  if (!memberMay(rights, 'api-keys.rotate')) return mayNotConfirm;
  return mayBeShown(rights, scopes)
    ? 'The page of the key lets you say that you have it, or be shown a new one.'
    : 'The page of the key lets you say that you have it. For a new one, ask an owner or an admin.';
}
