import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const shortestMs = 20;
const longestMs = 40;

/**
 * Waits before a call is refused because too much is under way, each a little differently. Many
 * clients try again at once, and would take the processor from the calls that are being carried out.
 */
export async function holdBackRefusal(): Promise<void> {
  await pause(randomInt(shortestMs, longestMs));
}
