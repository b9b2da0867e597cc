import type { CountedCalls } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import type { IncidentAct } from '#lib/contract/api-keys/incidents/incident-words.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { canonicalNetwork, isInNetworks } from '../../../network/networks.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { lastUsedToken } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { listApiKeysWithTokens, type ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { findFirstCountedHour, listTokenCalls, listTokensUsedFrom } from '../store/token-uses.ts';
import type { TokenRow } from '../store/tokens.ts';
import { startOfHour } from '../calls/call-log.ts';

/** A key that made a call so recently is in use. */
const inUseMs = 5 * minuteMs;

/** Whether one of the tokens made a call a moment ago. */
export function isInUse(tokens: readonly TokenRow[], now: Date): boolean {
  const at = lastUsedToken(tokens)?.lastUsedAt;
  return at ? now.getTime() - at.getTime() <= inUseMs : false;
}

/**
 * The active keys that were used from an address or network: of which a valid token was used from
 * there in the last 30 days, or was last used from there.
 *
 * @throws ServiceError VALIDATION_ERROR on `address`
 */
export async function listApiKeysUsedFrom(
  ctx: Context,
  { accountId }: PersonActor,
  { address }: { address: string },
): Promise<string[]> {
  // Other processes write their uses within ten seconds.
  await ctx.usage.flush();
  const wasUsedThere = await findUseFrom(ctx, accountId, address.trim());
  const active = await listActiveKeys(ctx, accountId);
  return active.filter(({ tokens }) => tokens.some(wasUsedThere)).map(({ key }) => key.uuid);
}

/** Why pausing or resuming a key would change nothing; null if it would, or for other acts. */
export function pauseSkipReason(act: IncidentAct, { pausedAt }: ApiKeyRow): string | null {
  if (act === 'pause' && pausedAt !== null) return 'This key is already paused.';
  if (act === 'resume' && pausedAt === null) return 'This key is not paused.';
  return null;
}

async function findUseFrom(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
  address: string,
): Promise<(token: { id: number; lastUsedIp: string | null }) => boolean> {
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

/** @throws ServiceError VALIDATION_ERROR on `keys` unless all are active keys of the account */
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
  ctx: Pick<Context, 'db' | 'clock' | 'usage' | 'calls'>,
  accountId: AccountId,
): Promise<CallCounts> {
  // Other processes write their counts within ten seconds.
  await Promise.all([ctx.usage.flush(), ctx.calls.flush()]);
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
