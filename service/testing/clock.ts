import { formatApiTime } from '#lib/time.ts';
import type { Clock } from '../clock.ts';

/** A clock that changes only when `advance` is called. */
export class FakeClock implements Clock {
  #now: number;

  constructor(start = '2026-11-20T12:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** The time this long from now, as the API writes it. */
  apiTime(fromNowMs = 0): string {
    return formatApiTime(new Date(this.#now + fromNowMs));
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
