import { randomInt } from 'node:crypto';

const minMs = 250;
const maxMs = 750;

/**
 * How many milliseconds to wait before trying the database again after a failure. It is less than a
 * second, so that work continues soon after the database is back. It is random, so that processes
 * that lost the database together do not all return at the same moment.
 */
export function retryPauseMs(): number {
  return randomInt(minMs, maxMs);
}
