import { minuteMs } from '../durations.ts';

/** Decides which failures to log while they last: the first of each kind, then one a minute. */
export class ThrottledFailures {
  readonly #kinds = new Map<string, { loggedAt: number; omitted: number }>();

  /** Null: not to be logged. Otherwise how many of its kind were left out since the last one. */
  note(error: unknown): { omitted: number } | null {
    const kind = failureKind(error);
    const now = performance.now();
    const last = this.#kinds.get(kind);
    if (last && now - last.loggedAt < minuteMs) {
      last.omitted += 1;
      return null;
    }
    // Otherwise the first line of an outage would count what an earlier outage left out.
    for (const [each, { loggedAt }] of this.#kinds) {
      if (now - loggedAt > 2 * minuteMs) this.#kinds.delete(each);
    }
    const omitted = this.#kinds.get(kind)?.omitted ?? 0;
    this.#kinds.set(kind, { loggedAt: now, omitted: 0 });
    return { omitted };
  }

  /** After a success: the next failure is a new one. @returns whether a failure was noted before */
  end(): boolean {
    const hadFailed = this.#kinds.size > 0;
    this.#kinds.clear();
    return hadFailed;
  }
}

/** The failure as the driver or Node reports it: the query builder repeats the statement. */
export function failureKind(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}
