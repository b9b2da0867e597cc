import type { Context } from '#service/context.ts';
import type { MovableClock } from './movable-clock.ts';
import type { ResettableLimiter } from './resettable-limiter.ts';

/** What commands can reach: the service, with a clock and a limiter that they can change. */
export type ControlledContext = Context & { clock: MovableClock; limiter: ResettableLimiter };
