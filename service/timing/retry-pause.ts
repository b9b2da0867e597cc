import { randomInt } from 'node:crypto';

const minMs = 250;
const maxMs = 750;

/** A random pause below a second, so that processes do not all return to the database together. */
export function retryPauseMs(): number {
  return randomInt(minMs, maxMs);
}
