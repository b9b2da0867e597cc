import type { Limiter } from '../limiter/limiter.ts';

/** Allows everything, for tests and benches that do not measure limits. */
export const unlimited: Limiter = {
  consume: async () =>
    await Promise.resolve({
      allowed: true,
      limit: 1,
      remaining: 1,
      resetSeconds: 1,
      name: 'call',
      windowSeconds: 60,
    }),
  giveBack: async () => await Promise.resolve(),
  close: async () => await Promise.resolve(),
};
