import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';

const minMs = 20;
const maxMs = 40;

/**
 * Refuses a call because too many are in progress, after a short random delay. Many clients retry
 * at once, and would take processor time from the calls in progress.
 *
 * @throws ServiceError UNAVAILABLE
 */
export async function refuseAsUnavailable(): Promise<never> {
  await pause(randomInt(minMs, maxMs));
  throw new ServiceError('UNAVAILABLE');
}
