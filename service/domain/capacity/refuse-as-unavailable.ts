import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';

const minMs = 20;
const maxMs = 40;

/**
 * Refuses a call because too much is under way, after a moment that differs a little from call to
 * call. Many clients try again at once, and would take the processor from the calls that are being
 * carried out.
 *
 * @throws ServiceError UNAVAILABLE
 */
export async function refuseAsUnavailable(): Promise<never> {
  await pause(randomInt(minMs, maxMs));
  throw new ServiceError('UNAVAILABLE');
}
