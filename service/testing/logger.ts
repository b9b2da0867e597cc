import { createLogger } from '../log/log.ts';
import type { Logger } from '../log/log.ts';

/** A line as the logger would write it. */
export type LogEntry = Record<string, unknown> & { level: number; msg: string };

const errorLevel = 50;

/** A logger that writes nothing. It opens no destination, which would keep a timer and a listener. */
export const silentLog = createLogger({
  level: 'silent',
  isPretty: false,
  destination: { write: () => undefined },
});

/** A logger that writes nothing and remembers everything. */
export class TestLog {
  readonly entries: LogEntry[] = [];
  readonly logger: Logger;
  readonly #expected: RegExp[] = [];

  constructor() {
    this.logger = createLogger({
      level: 'trace',
      isPretty: false,
      destination: { write: (line) => void this.entries.push(JSON.parse(line) as LogEntry) },
    });
  }

  /** Accepts errors whose message matches. */
  expectErrors(message: RegExp): void {
    this.#expected.push(message);
  }

  /** Deletes all entries so far, and returns the errors among them that no test expected. */
  forget(): LogEntry[] {
    const unexpected = this.#unexpectedErrors();
    this.entries.length = 0;
    return unexpected;
  }

  /**
   * Fails the test if it logged an error that it did not expect, or a field whose name is not in
   * snake_case: people search the log for `account_id`, no matter what the line is about.
   */
  assertNoUnexpectedErrors(): void {
    const names = new Set(this.entries.flatMap((entry) => Object.keys(entry)));
    const wrong = [...names].filter((name) => /[A-Z]/.test(name));
    if (wrong.length > 0) throw new Error(`not in snake_case in the log: ${wrong.join(', ')}`);
    const unexpected = this.#unexpectedErrors();
    if (unexpected.length > 0) {
      throw new Error(`unexpected errors in the log:\n${JSON.stringify(unexpected, null, 2)}`);
    }
  }

  #unexpectedErrors(): LogEntry[] {
    return this.entries.filter(
      ({ level, msg }) => level >= errorLevel && !this.#expected.some((known) => known.test(msg)),
    );
  }
}
