import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import { tokenValidUntil } from '../rules.ts';
import { listApiKeysWithTokens } from '../store/keys-with-tokens.ts';

/**
 * The valid tokens of an account that were shown to a person. Those of the newest key come first.
 */
export async function listTokensShownTo(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  personId: string,
): Promise<ShownSecrets['tokens']> {
  const now = ctx.clock.now();
  const keys = await listApiKeysWithTokens(ctx.db, accountId, { now, endedLimit: 0 });
  return keys.flatMap(({ key, tokens }) =>
    tokens
      .filter(({ shownTo }) => shownTo?.kind === 'person' && shownTo.id === personId)
      .filter(({ validUntil }) => validUntil === null || validUntil > now)
      .map((token) => {
        const end = tokenValidUntil(token, key.expiresAt) ?? key.expiresAt;
        return {
          api_key: { id: key.id, uuid: key.uuid, name: key.name, type: key.type },
          last_four: token.lastFour,
          last_used_at: token.lastUsedAt && formatApiTime(token.lastUsedAt),
          valid_until: end && formatApiTime(end),
        };
      }),
  );
}
