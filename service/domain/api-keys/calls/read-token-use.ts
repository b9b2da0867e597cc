import {
  maxExtensionDays,
  type OldToken,
  type TokenUse,
} from '#lib/contract/api-keys/token-use.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { hasEnded } from '../rules.ts';
import { listRecentCallers, listRecentHours, listTokenPauses } from '../store/calls.ts';
import {
  findApiKeyWithTokens,
  listApiKeysWithTokens,
  type ApiKeyWithTokens,
} from '../store/keys-with-tokens.ts';
import { findApiKeyId, listLeakReports, type ApiKeyRow } from '../store/keys.ts';
import type { TokenRow } from '../store/tokens.ts';
import { startOfHour } from './call-log.ts';
import { decideEndingVerdict } from './ending-verdict.ts';
import type { PathOf } from './list-failed-calls.ts';

/** How the valid tokens of a key are used, newest first. @throws ServiceError NOT_FOUND */
export async function listTokenUse(
  ctx: Context,
  actor: Actor,
  { apiKey, pathOf }: { apiKey: string; pathOf: PathOf },
): Promise<TokenUse[]> {
  const { accountId } = actor;
  const now = ctx.clock.now();
  const reference = parseResourceReference(apiKey);
  const id = reference && (await findApiKeyId(ctx.db, accountId, reference));
  const found = id && (await findApiKeyWithTokens(ctx.db, { accountId, id }, now));
  if (!found) throw notFound();
  if (hasEnded(found.key, now)) return [];
  const describe = await readUse(ctx, accountId, { keys: [found], pathOf, now });
  return describe(found);
}

/** The old tokens of the actor's account that still work, those that can be ended first. */
export async function listOldTokens(
  ctx: Context,
  { accountId }: Actor,
  { pathOf }: { pathOf: PathOf },
): Promise<OldToken[]> {
  const now = ctx.clock.now();
  const active = await listApiKeysWithTokens(ctx.db, accountId, { now, endedLimit: 0 });
  const keys = active.filter(({ tokens }) => tokens.length > 1);
  if (keys.length === 0) return [];
  const describe = await readUse(ctx, accountId, { keys, pathOf, now });
  const rank = ({ verdict }: TokenUse) => (verdict === 'safe_to_end' ? 0 : 1);
  return keys
    .flatMap((each) =>
      describe(each)
        .slice(1)
        .map((token) => ({ ...token, api_key: { uuid: each.key.uuid, name: each.key.name } })),
    )
    .toSorted(
      (a, b) => rank(a) - rank(b) || (a.valid_until ?? '').localeCompare(b.valid_until ?? ''),
    );
}

/**
 * Until when the time of an old token can be extended; null if it cannot be: it is the newest, it
 * may have leaked, or it works as long as it may already.
 *
 * @param reports when leaks of the key were reported that nobody took back
 */
export function extendableUntil(
  token: TokenRow,
  { key, reports }: { key: Pick<ApiKeyRow, 'expiresAt'>; reports: readonly Date[] },
): Date | null {
  const { validUntil, replacedAt, createdAt } = token;
  if (validUntil === null || replacedAt === null) return null;
  if (reports.some((reportedAt) => reportedAt >= createdAt)) return null;
  const latest = replacedAt.getTime() + maxExtensionDays * dayMs;
  const end = new Date(Math.min(latest, key.expiresAt?.getTime() ?? latest));
  return end > validUntil ? end : null;
}

/** Reads how the tokens of some keys are used. @returns what describes those of one key */
async function readUse(
  ctx: Context,
  accountId: AccountId,
  { keys, pathOf, now }: { keys: readonly ApiKeyWithTokens[]; pathOf: PathOf; now: Date },
): Promise<(of: ApiKeyWithTokens) => TokenUse[]> {
  // Other processes write their counts within ten seconds.
  await Promise.all([ctx.usage.flush(), ctx.calls.flush()]);
  const keyIds = keys.map(({ key }) => key.id);
  const tokenIds = keys.flatMap(({ tokens }) => tokens.map(({ id }) => id));
  const dayAgo = startOfHour(new Date(now.getTime() - 23 * hourMs));
  const monthAgo = new Date(now.getTime() - 30 * dayMs);
  const ofTokens = { tokenIds, since: dayAgo };
  const hours = await listRecentHours(ctx.db, accountId, ofTokens);
  const pauses = await listTokenPauses(ctx.db, accountId, { tokenIds, since: monthAgo });
  const callers = await listRecentCallers(ctx.db, accountId, { keyIds, ...ofTokens });
  const reports = await listLeakReports(ctx.db, accountId, keyIds);
  const hourAgo = new Date(now.getTime() - hourMs);

  return ({ key, tokens }) => {
    const [newest] = tokens;
    const isNewestUsed = newest !== undefined && newest.firstUsedAt !== null;
    return tokens.map((stored, index) => {
      const token = ctx.usage.withLatestUse(stored);
      const ofToken = <Row extends { tokenId: number }>(rows: readonly Row[]) =>
        rows.filter(({ tokenId }) => tokenId === token.id);
      const seen = ofToken(callers);
      const [pause] = ofToken(pauses);
      const lastCallAt = latestOf(pause?.lastAt ?? null, token.lastUsedAt);
      const isLastUse = lastCallAt !== null && lastCallAt.getTime() === token.lastUsedAt?.getTime();
      const callsLastHour = countLastHour(ofToken(hours), now);
      const addresses = seen.filter(({ address, lastAt }) => address !== '' && lastAt > hourAgo);
      const use = { lastCallAt, callsLastHour, longestPauseMs: pause?.longestMs ?? 0 };
      const leaks = reports.filter(({ apiKeyId }) => apiKeyId === key.id);
      const end = extendableUntil(token, { key, reports: leaks.map(({ createdAt }) => createdAt) });
      return {
        id: token.id,
        last_four: token.lastFour,
        created_at: formatApiTime(token.createdAt),
        replaced_at: formatOrNull(token.replacedAt),
        valid_until: formatOrNull(token.validUntil),
        extendable_until: formatOrNull(end),
        first_used_at: formatOrNull(token.firstUsedAt),
        last_call_at: formatOrNull(lastCallAt),
        last_call_from: isLastUse ? token.lastUsedIp : (seen[0]?.address ?? null),
        calls_last_hour: callsLastHour,
        addresses_last_hour: new Set(addresses.map(({ address }) => address)).size,
        longest_pause_seconds: Math.round(use.longestPauseMs / 1000),
        hours: Array.from({ length: 24 }, (_, hour) => {
          const start = dayAgo.getTime() + hour * hourMs;
          return sumOf(ofToken(hours).filter((row) => row.hour.getTime() === start));
        }),
        callers: seen
          .filter(({ address }) => address !== '')
          .slice(0, 10)
          .map((caller) => ({
            address: caller.address,
            user_agent: caller.userAgent === '' ? null : caller.userAgent,
            last_seen_at: formatApiTime(caller.lastAt),
            last_method: caller.lastMethod,
            last_path: pathOf(caller.lastRoute),
            last_status: caller.lastStatus,
            calls: caller.calls,
          })),
        verdict:
          index === 0
            ? null
            : decideEndingVerdict({ createdAt: token.createdAt, ...use }, { isNewestUsed, now }),
      };
    });
  };
}

/** The calls in the last 60 minutes, the current one included. */
function countLastHour(rows: readonly { hour: Date; minutes: number[] }[], now: Date): number {
  const minute = (at: number) => Math.floor(at / minuteMs);
  const first = minute(now.getTime()) - 59;
  return rows.reduce(
    (sum, { hour, minutes }) =>
      sum +
      minutes
        .filter((_, index) => minute(hour.getTime()) + index >= first)
        .reduce((total, calls) => total + calls, 0),
    0,
  );
}

function sumOf(rows: readonly { calls: number }[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

function latestOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function formatOrNull(at: Date | null): string | null {
  return at && formatApiTime(at);
}
