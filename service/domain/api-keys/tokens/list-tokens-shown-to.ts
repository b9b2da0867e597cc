import type { TokenShownToOthers } from '#lib/contract/api-keys/shown-tokens.ts';
import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { listMembers } from '../../people/members/list-members.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { isTokenValid, tokenValidUntil } from '../rules.ts';
import { findApiKeyId } from '../store/keys.ts';
import { findApiKeyWithTokens, listApiKeysWithTokens } from '../store/keys-with-tokens.ts';

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

/**
 * The valid tokens of a key that were shown to people who may not change the key: they could give
 * themselves nothing that a change of the key adds. @throws ServiceError NOT_FOUND
 */
export async function listTokensShownToOthers(
  ctx: Pick<Context, 'db' | 'clock'>,
  { accountId }: Actor,
  input: { apiKey: string },
): Promise<TokenShownToOthers[]> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.apiKey);
  const id = reference && (await findApiKeyId(ctx.db, accountId, reference));
  const found = id && (await findApiKeyWithTokens(ctx.db, { accountId, id }, now));
  if (!found) throw notFound();
  const members = await listMembers(ctx.db, accountId);
  return found.tokens.flatMap((token) => {
    const { shownTo } = token;
    if (shownTo?.kind !== 'person' || !isTokenValid({ key: found.key, token }, now)) return [];
    const role = members.find((member) => member.id === shownTo.id)?.role ?? null;
    if (role !== null && mayAct(role, 'api-keys.update')) return [];
    return { last_four: token.lastFour, person: { name: shownTo.name, role } };
  });
}
