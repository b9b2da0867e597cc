import type { Crash, Execution } from '../execute-messages.ts';

/** Sends messages of PostgreSQL's protocol, which are executed in the order in which they are sent. */
export type Send = (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** A connection to the embedded database, which has one at a time. */
export type Connection = {
  /** @throws CrashError once the database has crashed */
  send: Send;
  onCrash: (fn: (cause: Error) => void) => void;
  /** Writes a last checkpoint, unless the database has crashed. */
  close: () => Promise<void>;
};

/**
 * Says what the database said last. Unless it gave a code, it has PostgreSQL's for a server that
 * crashed, so that it counts as one that is away.
 */
export class CrashError extends Error {
  override readonly name = 'CrashError';
  readonly code: string;

  constructor({ message, code }: Crash) {
    if (code === null) super('The embedded database has crashed.', { cause: new Error(message) });
    else super(message);
    this.code = code ?? '57P02';
  }
}

/** Tells once that the database has crashed, and refuses what is asked of it after that. */
export class CrashWatch {
  readonly #listeners = new Set<(cause: Error) => void>();
  #crash: CrashError | null = null;

  get crash(): CrashError | null {
    return this.#crash;
  }

  onCrash(fn: (cause: Error) => void): void {
    this.#listeners.add(fn);
  }

  note(crash: Crash): CrashError {
    if (this.#crash !== null) return this.#crash;
    this.#crash = new CrashError(crash);
    for (const fn of this.#listeners) fn(this.#crash);
    return this.#crash;
  }

  /** @throws CrashError if the database crashed over the message */
  bytesOf({ bytes, crash }: Execution): Uint8Array {
    if (crash !== null) throw this.note(crash);
    return bytes;
  }
}
