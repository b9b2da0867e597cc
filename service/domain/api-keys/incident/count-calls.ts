import type { CountedCalls } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { TokenRow } from '../store/tokens.ts';
import { findFirstCountedHour, listTokenCalls } from '../store/token-uses.ts';
import { startOfHour } from '../tokens/pending-use.ts';

/** How many calls are made with some tokens. */
export type Calls = { perHour: number; lastDay: number };

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
