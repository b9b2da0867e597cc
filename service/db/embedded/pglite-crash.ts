import type { PGlite } from '@electric-sql/pglite';

/** How the code in WebAssembly says that a statement failed and all is well. */
const statementFailed = 100;

/**
 * Watches for the end of an embedded database: a PANIC, as when the log cannot grow on a full disk,
 * or a fault of WebAssembly. PGlite does not: each call after that would block the process for ever,
 * since it calls again as long as its message is not taken, whatever is thrown (0.5.16,
 * `execProtocolRawSync`). Instead, what is asked after the crash is rejected with its cause.
 *
 * @param onCrash called once
 * @returns the cause of the crash, if there was one
 */
export function watchForCrash(pglite: PGlite, onCrash: (cause: Error) => void): () => Error | null {
  const module = pglite.Module;
  const takeMessage = module._PostgresMainLoopOnce;
  const stackRestore = module.stackRestore;
  const execProtocolStream = pglite.execProtocolStream.bind(pglite);
  let crash: Error | null = null;
  let isStuck = false;

  function note(cause: Error): void {
    if (crash !== null) return;
    crash = cause;
    onCrash(cause);
  }

  module._PostgresMainLoopOnce = () => {
    try {
      takeMessage();
    } catch (error) {
      if (statusOf(error) !== statementFailed) {
        // A PANIC is thrown once its message has been sent, which says more than what is thrown.
        if (isStuck) note(new CrashError({ cause: error }));
        isStuck = true;
      }
      throw error;
    }
  };
  // Called between two calls of the one above: what it throws leaves the loop.
  module.stackRestore = (pointer) => {
    if (crash !== null) throw crash;
    return stackRestore(pointer);
  };
  pglite.execProtocolStream = async (...args) => {
    if (crash !== null) throw crash;
    try {
      return await execProtocolStream(...args);
    } catch (error) {
      if (error instanceof Error && 'severity' in error && error.severity === 'PANIC') note(error);
      throw error;
    } finally {
      if (isStuck) note(new CrashError());
    }
  };
  return () => crash;
}

/** With PostgreSQL's code for a server that crashed, so that it counts as one that is away. */
class CrashError extends Error {
  override readonly name = 'CrashError';
  readonly code = '57P02';

  constructor(options?: ErrorOptions) {
    super('The embedded database has crashed.', options);
  }
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
}
