import { expect } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import type { Tx } from '../../db/open.ts';
import type { TestContext } from '../context.ts';
import { countLockWaits } from './count-lock-waits.ts';

/** How much time passes for a call that waits. */
export const waitedMs = 10 * minuteMs;

/**
 * The response to a call that waits for a lock, which another transaction has for a long time.
 *
 * @param options.during what that transaction does before it ends
 * @param options.passesMs how much time passes while the call waits
 */
export async function afterWaiting<Response>(
  ctx: TestContext,
  {
    lock,
    call,
    during,
    passesMs = waitedMs,
  }: {
    lock: (tx: Tx) => PromiseLike<unknown>;
    call: () => Promise<Response>;
    during?: (tx: Tx) => Promise<unknown>;
    passesMs?: number;
  },
): Promise<Response> {
  const { response } = await ctx.db.transaction(async (tx) => {
    await lock(tx);
    const called = call();
    await expect.poll(() => countLockWaits(ctx)).toBeGreaterThan(0);
    ctx.clock.advance(passesMs);
    await during?.(tx);
    return { response: called };
  });
  return await response;
}
