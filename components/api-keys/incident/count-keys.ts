const format = new Intl.NumberFormat('en');

/** "1 key", "12 keys" */
export function countKeys(count: number): string {
  return countOf(count, 'key');
}

/** "1 token", "1,200 tokens" */
export function countOf(count: number, noun: string): string {
  return `${format.format(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** "0 calls an hour", "1 call an hour" */
export function callsPerHour(count: number): string {
  return `${countOf(count, 'call')} an hour`;
}
