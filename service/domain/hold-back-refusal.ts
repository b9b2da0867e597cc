import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const shortestMs = 20;
const longestMs = 40;

/**
 * Waits before a call is refused because the process is at its limit, each time a little differently.
 * Many clients try again at once, and would take processor time from the calls in progress.
 */
export async function holdBackRefusal(): Promise<void> {
  await pause(randomInt(shortestMs, longestMs));
}
