import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';

const groupMs = 5;
const maxGroupsAhead = 3;

/** By number: the moments at which the refusals of a group are sent. */
const groups = new Map<number, Promise<void>>();

/**
 * Refuses a call because too many are in progress, after a random delay of at most 15 ms. Many
 * clients retry at once, and would take processor time from the calls in progress. Refusals are
 * sent in groups: one right after the other, they take less processor time than one at a time.
 *
 * @throws ServiceError UNAVAILABLE
 */
export async function refuseAsUnavailable(): Promise<never> {
  const nowMs = performance.now();
  const number = Math.floor(nowMs / groupMs) + 1 + randomInt(maxGroupsAhead);
  let group = groups.get(number);
  if (!group) {
    group = pause(number * groupMs - nowMs).then(() => void groups.delete(number));
    groups.set(number, group);
  }
  await group;
  throw new ServiceError('UNAVAILABLE');
}
