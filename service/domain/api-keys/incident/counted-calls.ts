import type { CountedCalls } from '#lib/contract/api-keys/incident.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { TokenRow } from '../store/tokens.ts';
import { findFirstCountedHour, listTokenCalls } from '../store/token-uses.ts';
import { startOfHour } from '../tokens/pending-use.ts';

/** How many calls some tokens make. */
export type Calls = { perHour: number; lastDay: number };

export type CallCounts = {
  /** From when until when the calls were counted. */
  counted: CountedCalls;
  callsWith: (tokens: readonly Pick<TokenRow, 'id'>[]) => Calls;
};

/**
 * The calls of an account's tokens. They are counted by the hour, so the calls per hour are those of
 * the last full hour and of the one that runs, and the last day is 24 full hours and the one that
 * runs. Where counting began later, it is since then.
 */
export async function countCalls(
  ctx: Pick<Context, 'db' | 'clock' | 'usage'>,
  accountId: AccountId,
): Promise<CallCounts> {
  // Other processes write theirs within ten seconds.
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
