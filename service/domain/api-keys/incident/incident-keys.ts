import type {
  CountedCalls,
  IncidentKey,
  IncidentKeyFilters,
  IncidentKeys,
  KeyCreator,
} from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { canonicalNetwork, isInNetworks } from '../../../network/networks.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import type { MemberNames } from '../../people/members/read-members.ts';
import { describeResponsible, listResponsibleMembers } from '../check-fields.ts';
import { isRotated, lastUsedToken } from '../rules.ts';
import { listApiKeysWithTokens, type ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { findFirstCountedHour, listTokenCalls, listTokensUsedFrom } from '../store/token-uses.ts';
import type { TokenRow } from '../store/tokens.ts';
import { startOfHour } from '../tokens/pending-use.ts';

/** A key that made a call so recently is in use. */
const inUseMs = 5 * minuteMs;

/**
 * The active keys that an incident may be about, and how much each is used.
 *
 * @throws ServiceError VALIDATION_ERROR on `address`
 */
export async function listIncidentKeys(
  ctx: Context,
  actor: PersonActor,
  filters: IncidentKeyFilters,
): Promise<IncidentKeys> {
  const { accountId } = actor;
  const { counted, callsWith } = await countCalls(ctx, accountId);
  const active = await listActiveKeys(ctx, accountId);
  const chosen = await chooseKeys(ctx, accountId, { keys: active, filters });
  const members = await listResponsibleMembers(
    ctx.db,
    accountId,
    chosen.map(({ key }) => key),
  );
  const now = ctx.clock.now();
  return {
    keys: chosen.map((each) => describeKey(each, { callsWith, members, now })),
    creators: creatorsOf(active),
    live_keys: active.length,
    counted,
  };
}

function describeKey(
  { key, tokens }: ApiKeyWithTokens,
  {
    callsWith,
    members,
    now,
  }: { callsWith: CallCounts['callsWith']; members: MemberNames; now: Date },
): IncidentKey {
  const [newest] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const latest = lastUsedToken(tokens);
  const { perHour, lastDay } = callsWith(tokens);
  return {
    uuid: key.uuid,
    name: key.name,
    last_four: newest.lastFour,
    type: key.type,
    created_at: formatApiTime(key.createdAt),
    created_by: key.createdBy,
    rotated_at: isRotated({ key, tokens }) ? formatApiTime(newest.createdAt) : null,
    responsible: describeResponsible(key, members),
    last_used_at: latest?.lastUsedAt ? formatApiTime(latest.lastUsedAt) : null,
    last_used_ip: latest?.lastUsedIp ?? null,
    live_tokens: tokens.length,
    is_in_use: isInUse(tokens, now),
    calls_per_hour: perHour,
    calls_last_day: lastDay,
  };
}

/** Whether one of the tokens made a call a moment ago. */
export function isInUse(tokens: readonly TokenRow[], now: Date): boolean {
  const at = lastUsedToken(tokens)?.lastUsedAt;
  return at ? now.getTime() - at.getTime() <= inUseMs : false;
}

/** Each creator once, by name, under the name of their newest key. */
function creatorsOf(keys: readonly ApiKeyWithTokens[]): KeyCreator[] {
  const byCreator = Map.groupBy(keys, ({ key }) => creatorOf(key.createdBy));
  return [...byCreator]
    .flatMap(([creator, [first, ...others]]) =>
      first ? [{ creator, ...nameOf(first), keys: others.length + 1 }] : [],
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function nameOf({ key: { createdBy } }: ApiKeyWithTokens) {
  return { name: createdBy.name, kind: createdBy.kind };
}

/** How a filter refers to the creator of keys. */
export function creatorOf({ kind, id }: ActorReference): string {
  return `${kind}:${id ?? ''}`;
}

/**
 * The active keys of an account that match all filters. An address matches a key if
 * one of its valid tokens was used from there in the last 30 days, or if it is the last address of
 * such a token.
 *
 * @throws ServiceError VALIDATION_ERROR on `address`
 */
async function chooseKeys(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
  { keys, filters }: { keys: readonly ApiKeyWithTokens[]; filters: IncidentKeyFilters },
): Promise<ApiKeyWithTokens[]> {
  const { created_by: creator, created_after: after, created_before: before } = filters;
  const wasUsedThere = await findUseFrom(ctx, accountId, filters.address?.trim() ?? '');
  return keys.filter(
    ({ key, tokens }) =>
      (creator === undefined || creatorOf(key.createdBy) === creator) &&
      (after === undefined || key.createdAt >= new Date(after)) &&
      (before === undefined || key.createdAt < new Date(before)) &&
      tokens.some(wasUsedThere),
  );
}

async function findUseFrom(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
  address: string,
): Promise<(token: { id: number; lastUsedIp: string | null }) => boolean> {
  if (address === '') return () => true;
  const network = canonicalNetwork(address);
  if (network === null) {
    throw invalid('address', 'Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.');
  }
  const seen = new Set(await listTokensUsedFrom(ctx.db, accountId, network));
  // The last address is kept for longer than 30 days.
  return ({ id, lastUsedIp }) =>
    seen.has(id) || (lastUsedIp !== null && isInNetworks(lastUsedIp, [network]));
}

/** The keys of an account that work, newest first, each with its valid tokens. */
async function listActiveKeys(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
): Promise<ApiKeyWithTokens[]> {
  return await listApiKeysWithTokens(ctx.db, accountId, { now: ctx.clock.now(), endedLimit: 0 });
}

/**
 * Those with these UUIDs.
 * @throws ServiceError VALIDATION_ERROR on `keys` unless all of them are active keys of the account
 */
export async function findActiveKeys(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  uuids: readonly string[],
): Promise<ApiKeyWithTokens[]> {
  const wanted = new Set(uuids.map((uuid) => uuid.toLowerCase()));
  const found = (await listActiveKeys(ctx, accountId)).filter(({ key }) => wanted.has(key.uuid));
  if (found.length === wanted.size) return found;
  throw invalid(
    'keys',
    'Some of these keys are no longer active keys of this account. Reload the list.',
  );
}

/** How many calls are made with some tokens. */
type Calls = { perHour: number; lastDay: number };

export type CallCounts = {
  /** The periods in which the calls were counted. */
  counted: CountedCalls;
  callsWith: (tokens: readonly Pick<TokenRow, 'id'>[]) => Calls;
};

/**
 * The calls made with an account's tokens. Calls are counted by the hour, so the rate per hour
 * covers the last full hour and the current one, and the last day covers 24 full hours and the
 * current one. If counting began later than that, both start there.
 */
export async function countCalls(
  ctx: Pick<Context, 'db' | 'clock' | 'usage'>,
  accountId: AccountId,
): Promise<CallCounts> {
  // Other processes write their counts within ten seconds.
  await ctx.usage.flush();
  const now = ctx.clock.now();
  const thisHour = startOfHour(now).getTime();
  const first = (await findFirstCountedHour(ctx.db))?.getTime() ?? thisHour;
  const hourFrom = new Date(Math.max(thisHour - hourMs, Math.min(first, thisHour)));
  const dayFrom = new Date(Math.max(thisHour - dayMs, Math.min(first, thisHour)));
  const hours = Math.max(1, (now.getTime() - hourFrom.getTime()) / hourMs);
  const rows = await listTokenCalls(ctx.db, accountId, { hourFrom, dayFrom });
  const callsOf = new Map(rows.map((row) => [row.tokenId, row]));
  return {
    counted: {
      hour_from: formatApiTime(hourFrom),
      day_from: formatApiTime(dayFrom),
      until: formatApiTime(now),
    },
    callsWith(tokens) {
      const sum = (part: 'inHour' | 'inDay') =>
        tokens.reduce((total, { id }) => total + (callsOf.get(id)?.[part] ?? 0), 0);
      return { perHour: Math.ceil(sum('inHour') / hours), lastDay: sum('inDay') };
    },
  };
}
