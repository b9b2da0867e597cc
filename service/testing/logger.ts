import { createLogger } from '../log/log.ts';
import type { Logger } from '../log/log.ts';

/** One line as it would have been written. */
export type LogEntry = Record<string, unknown> & { level: number; msg: string };

const errorLevel = 50;

/** A logger that writes nowhere and remembers everything. */
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

  /** Lets errors whose message matches pass. */
  expectErrors(message: RegExp): void {
    this.#expected.push(message);
  }

  /** Forgets everything so far, and gives the errors in it that no test expected. */
  forget(): LogEntry[] {
    const unexpected = this.#unexpectedErrors();
    this.entries.length = 0;
    return unexpected;
  }

  /** Fails the test that logged an error it did not expect. */
  assertNoUnexpectedErrors(): void {
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
