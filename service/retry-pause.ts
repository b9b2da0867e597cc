import { randomInt } from 'node:crypto';

const minMs = 250;
const maxMs = 750;

/**
 * How many milliseconds to wait before a database that failed is asked again: less than a second,
 * so that work goes on soon after its return, and never the same, so that processes which lost it
 * together do not come back together.
 */
export function retryPauseMs(): number {
  return randomInt(minMs, maxMs);
}
