import type { TokenOfLeaver } from '#lib/contract/api-keys/shown-tokens.ts';
import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Actor } from '../../actor.ts';
import { listPeopleWithAccess } from '../../people/members/read-members.ts';
import { isTokenValid, tokenValidUntil } from '../rules.ts';
import { listApiKeysWithTokens, type ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { listTokensOfKeys, type TokenRow } from '../store/tokens.ts';

type Known = {
  key: ApiKeyWithTokens['key'];
  token: TokenRow;
  person: ActorReference;
  /** The key that received the token, if it was not shown to the person. */
  through: ActorReference | null;
};

/** The valid tokens of an account that a person knows. Those of the newest key come first. */
export async function listTokensKnownTo(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  personId: string,
): Promise<ShownSecrets['tokens']> {
  return (await listKnownTokens(ctx, accountId, (id) => id === personId)).map(describeKnown);
}

/** The valid tokens of the actor's account that are known to someone who can no longer open it. */
export async function listTokensOfLeavers(
  ctx: Context,
  { accountId }: Actor,
): Promise<TokenOfLeaver[]> {
  const staying = await listPeopleWithAccess(ctx.db, accountId);
  const known = await listKnownTokens(ctx, accountId, (id) => !staying.has(id));
  return known.map((one) => ({
    ...describeKnown(one),
    person: { id: one.person.id ?? '', name: one.person.name },
  }));
}

/**
 * The valid tokens that one of these people knows: those that were shown to them, and those that
 * the API returned to another key while a token of that key was known to them, as they could have
 * made that call.
 */
async function listKnownTokens(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  isKnower: (personId: string) => boolean,
): Promise<Known[]> {
  const now = clock.now();
  const keys = await listApiKeysWithTokens(db, accountId, { now, endedLimit: 0 });
  const valid = keys.flatMap(({ key, tokens }) =>
    tokens.filter((token) => isTokenValid({ key, token }, now)).map((token) => ({ key, token })),
  );
  const tokensOfKey = new Map<string, TokenRow[]>();
  let sought = keysThatReceived(valid.map(({ token }) => token));
  while (sought.length > 0) {
    const found = await listTokensOfKeys(db, accountId, sought);
    for (const uuid of sought) tokensOfKey.set(uuid, found.get(uuid) ?? []);
    sought = keysThatReceived([...found.values()].flat()).filter((uuid) => !tokensOfKey.has(uuid));
  }

  /** Who of them received a token: themselves, or through a key. */
  function knowerOf(
    { shownTo, ...token }: TokenRow,
    passed: readonly number[],
  ): ActorReference | null {
    if (shownTo?.kind === 'person') return isKnower(shownTo.id ?? '') ? shownTo : null;
    if (shownTo?.kind !== 'api_key') return null;
    const receivedAt = token.replacedUnusedAt ?? token.createdAt;
    for (const earlier of tokensOfKey.get(shownTo.id ?? '') ?? []) {
      const { createdAt, validUntil } = earlier;
      const wasValid = createdAt <= receivedAt && (validUntil === null || validUntil > receivedAt);
      // A key that rotates itself replaces its tokens, it does not create keys.
      const isOther = earlier.apiKeyId !== token.apiKeyId && !passed.includes(earlier.id);
      const knower = wasValid && isOther ? knowerOf(earlier, [...passed, earlier.id]) : null;
      if (knower) return knower;
    }
    return null;
  }

  return valid.flatMap(({ key, token }) => {
    const person = knowerOf(token, [token.id]);
    const through = token.shownTo?.kind === 'api_key' ? token.shownTo : null;
    return person ? [{ key, token, person, through }] : [];
  });
}

function keysThatReceived(tokens: readonly TokenRow[]): string[] {
  const uuids = tokens.flatMap(({ shownTo }) =>
    shownTo?.kind === 'api_key' ? (shownTo.id ?? []) : [],
  );
  return [...new Set(uuids)];
}

function describeKnown({ key, token, through }: Known): ShownSecrets['tokens'][number] {
  const end = tokenValidUntil(token, key.expiresAt) ?? key.expiresAt;
  return {
    api_key: { id: key.id, uuid: key.uuid, name: key.name, type: key.type },
    last_four: token.lastFour,
    last_used_at: token.lastUsedAt && formatApiTime(token.lastUsedAt),
    valid_until: end && formatApiTime(end),
    through: through?.name ?? null,
  };
}
