import type { Crash } from '../create-executor.ts';
import { sqlstate } from '../../../sqlstate.ts';

/** Sends a message of PostgreSQL's protocol. Messages are executed in the order of sending. */
export type Send = (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** The one connection to an embedded database. */
export type Connection = {
  /** @throws CrashError once the database has crashed */
  send: Send;
  onCrash: (fn: (cause: Error) => void) => void;
  /** Writes a last checkpoint, unless the database has crashed. */
  close: () => Promise<void>;
};

/**
 * The error of every call after the database has crashed. It has the message and code of the PANIC
 * that PostgreSQL reported, or else the code of a server that crashed. Callers treat the database
 * as unavailable.
 */
class CrashError extends Error {
  override readonly name = 'CrashError';
  readonly code: string;

  constructor({ message, code }: Crash) {
    if (code === null) super('The embedded database has crashed.', { cause: new Error(message) });
    else super(message);
    this.code = code ?? sqlstate.crashShutdown;
  }
}

/** Stores the first crash, and notifies its listeners once. */
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
}
