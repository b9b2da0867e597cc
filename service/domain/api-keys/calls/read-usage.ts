import type { CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import { aboutProblem } from '#lib/contract/api-keys/call-problems.ts';
import { scopeTable, type Scope } from '#lib/contract/api-keys/scopes.ts';
import {
  maxCallersPerHour,
  usageWindows,
  type ApiKeyUsage,
  type CallCounts,
  type CallRefusal,
  type CallsOfKey,
  type Headroom,
  type KeyCaller,
  type UsageWindow,
} from '#lib/contract/api-keys/usage.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { isKeyOf } from '#lib/object-keys.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { accountCallsPerMinute, keyCallsPerMinute } from '../../../limiter/limits.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import {
  listCallCounts,
  listCallers,
  listCallsByHour,
  listMinuteCalls,
  type StoredCaller,
} from '../store/calls.ts';
import type { CallCountRow } from '../store/record-calls.ts';
import { hasEnded } from '../rules.ts';
import { findApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { findApiKeyId } from '../store/keys.ts';
import { startOfHour } from './call-log.ts';
import type { PathOf } from './list-failed-calls.ts';

type UsageInput = {
  apiKey: string;
  window: UsageWindow;
  pathOf: PathOf;
  /** The scope that calls of a route need, by the name of the route. */
  scopeOf: (route: string) => Scope | null;
};

/** What a key of the actor's account did in a window of time. @throws ServiceError NOT_FOUND */
export async function getApiKeyUsage(
  ctx: Context,
  actor: Actor,
  { apiKey, window, pathOf, scopeOf }: UsageInput,
): Promise<ApiKeyUsage> {
  const { accountId } = actor;
  const reference = parseResourceReference(apiKey);
  const id = reference && (await findApiKeyId(ctx.db, accountId, reference));
  const now = ctx.clock.now();
  const found = id && (await findApiKeyWithTokens(ctx.db, { accountId, id }, now));
  if (!found) throw notFound();
  const { key } = found;
  // Other processes write their counts within ten seconds.
  await ctx.calls.flush();
  const { bucketSeconds, bucketCount } = usageWindows[window];
  const bucketMs = bucketSeconds * 1000;
  const bucketOf = (at: Date) => Math.floor(at.getTime() / bucketMs);
  const first = bucketOf(now) - bucketCount + 1;
  const since = new Date(first * bucketMs);
  const ofKey = { accountId, apiKeyId: key.id, since };
  const counts = await listCallCounts(ctx.db, ofKey);
  const callers = await listCallers(ctx.db, ofKey);
  const dayAgo = startOfHour(new Date(now.getTime() - dayMs));
  const minutesOf = async (apiKeyId: number | null) =>
    await listMinuteCalls(ctx.db, accountId, { since: dayAgo, apiKeyId });
  const named = callers.filter(({ address }) => address !== '');
  const shown = named.slice(0, maxCallersPerHour);
  const others = callers.filter((caller) => !shown.includes(caller));
  return {
    window,
    since: formatApiTime(since),
    bucket_seconds: bucketSeconds,
    totals: countOutcomes(counts),
    buckets: Array.from({ length: bucketCount }, (_, index) => ({
      start: formatApiTime(new Date((first + index) * bucketMs)),
      ...countOutcomes(counts.filter(({ hour }) => bucketOf(hour) === first + index)),
    })),
    routes: byMostCalls(Map.groupBy(counts, routeName)).map(([row, rows]) => ({
      ...describeRoute(row, pathOf),
      required_scope: scopeOf(row.route),
      last_accepted_at: lastAcceptedAt(rows),
      ...countOutcomes(rows),
    })),
    refusals: byMostCalls(
      Map.groupBy(
        counts.filter(({ problem }) => problem !== ''),
        ({ problem, detail }) => `${problem} ${detail}`,
      ),
    ).flatMap(([, rows]) => describeRefusal(rows, { bucketMs, pathOf })),
    callers: shown.map((caller) => describeCaller(caller, { isKeyEnded: hasEnded(key, now), now })),
    other_callers: sumOf(others),
    headroom: {
      api_key: headroomOf(
        await minutesOf(key.id),
        keyCallsPerMinute(ctx.config, key.rateLimitPerMinute),
      ),
      account: headroomOf(await minutesOf(null), accountCallsPerMinute(ctx.config)),
    },
  };
}

/** The calls of each key of the actor's account in each of the last 24 hours. */
export async function listCallsOfKeys(ctx: Context, actor: Actor): Promise<CallsOfKey[]> {
  const thisHour = startOfHour(ctx.clock.now());
  const hours = Array.from(
    { length: 24 },
    (_, index) => new Date(thisHour.getTime() - (23 - index) * hourMs),
  );
  const [since = thisHour] = hours;
  const rows = await listCallsByHour(ctx.db, actor.accountId, since);
  return [...Map.groupBy(rows, ({ keyUuid }) => keyUuid)].map(([uuid, ofKey]) => ({
    uuid,
    hours: hours.map((hour) =>
      countOutcomes(ofKey.filter((row) => row.hour.getTime() === hour.getTime())),
    ),
  }));
}

function countOutcomes(rows: readonly { outcome: CallOutcome; calls: number }[]): CallCounts {
  const counts = { succeeded: 0, client_error: 0, limited: 0, refused: 0, failed: 0 };
  for (const { outcome, calls } of rows) counts[outcome] += calls;
  return counts;
}

type CountRow = Required<CallCountRow>;

/** Groups of rows, each with its first row, those with the most calls first. */
function byMostCalls(groups: Map<string, CountRow[]>): [CountRow, CountRow[]][] {
  return [...groups.values()]
    .toSorted((a, b) => sumOf(b) - sumOf(a))
    .flatMap((rows) => (rows[0] ? [[rows[0], rows]] : []));
}

function routeName({ route, method }: CountRow): string {
  return `${method} ${route}`;
}

function describeRoute({ route, method }: CountRow, pathOf: PathOf) {
  return { method, path: pathOf(route) };
}

function lastAcceptedAt(rows: readonly CountRow[]): string | null {
  const [last] = rows
    .filter(({ outcome }) => outcome !== 'refused' && outcome !== 'limited')
    .toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  return last ? formatApiTime(last.lastAt) : null;
}

function describeRefusal(
  rows: readonly CountRow[],
  { bucketMs, pathOf }: { bucketMs: number; pathOf: PathOf },
): CallRefusal[] {
  const [last] = rows.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  const [[usual] = []] = byMostCalls(Map.groupBy(rows, routeName));
  if (!last || !usual || last.problem === '') return [];
  const { problem, detail } = last;
  const startOf = ({ hour }: CountRow) => Math.floor(hour.getTime() / bucketMs) * bucketMs;
  const buckets = [...Map.groupBy(rows, startOf)].toSorted(([a], [b]) => a - b);
  return [
    {
      reason: problem,
      status: aboutProblem(problem).status,
      required_scope: problem === 'scope' && isKeyOf(scopeTable, detail) ? detail : null,
      address: problem === 'network' && detail !== '' ? detail : null,
      token_last_four: problem === 'token_ended' ? detail : null,
      calls: sumOf(rows),
      last_at: formatApiTime(last.lastAt),
      last_address: last.lastAddress,
      ...describeRoute(usual, pathOf),
      buckets: buckets.map(([start, inBucket]) => ({
        start: formatApiTime(new Date(start)),
        calls: sumOf(inBucket),
      })),
    },
  ];
}

function describeCaller(
  { address, userAgent, lastFour, validUntil, firstAt, lastAt, calls }: StoredCaller,
  { isKeyEnded, now }: { isKeyEnded: boolean; now: Date },
): KeyCaller {
  const isEnded = isKeyEnded || (validUntil !== null && validUntil <= now);
  const isOld = validUntil !== null;
  return {
    address,
    user_agent: userAgent === '' ? null : userAgent,
    token: { last_four: lastFour, state: isEnded ? 'ended' : isOld ? 'old' : 'newest' },
    first_seen_at: formatApiTime(firstAt),
    last_seen_at: formatApiTime(lastAt),
    calls,
  };
}

/** @param minutes the calls in each minute with calls */
function headroomOf(minutes: readonly number[], limit: number): Headroom {
  const sorted = minutes.toSorted((a, b) => a - b);
  return {
    limit,
    busiest: sorted.at(-1) ?? 0,
    usual: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
    minutes_at_limit: minutes.filter((calls) => calls >= limit).length,
  };
}

function sumOf(rows: readonly { calls: number }[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
