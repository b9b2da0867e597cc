import { messages } from '@electric-sql/pglite';
import type { PGlite } from '@electric-sql/pglite';
import { concatBytes } from './client/concat-bytes.ts';
import { readResults } from './client/read-results.ts';

/** The status with which the WebAssembly code reports a failed statement that is not a crash. */
const statementFailed = 100;

/** The reason why the database crashed; `code` is the SQLSTATE of a PANIC. */
export type Crash = { message: string; code: string | null };

/** The response to a message; `crash` is set if the database crashed during it, or earlier. */
export type Execution = { bytes: Uint8Array<ArrayBuffer>; crash: Crash | null };

/**
 * Executes messages of PostgreSQL's protocol in a PGlite, and detects crashes: a PANIC, such as
 * when the log cannot grow on a full disk, or a fault of WebAssembly. PGlite itself would block the
 * thread forever after a crash: it repeats a call until PostgreSQL has read the message, no matter
 * what the call throws (`execProtocolRawSync`).
 *
 * No public function of PGlite ends that loop, so this replaces two functions of its WebAssembly
 * module, `_PostgresMainLoopOnce` and `stackRestore`. It is written for the version of PGlite in
 * `package.json`, 0.5.16. `create-executor.test.ts` and `service/tests/full-disk.durability.test.ts`
 * fail if another version calls them differently.
 */
export function createExecutor(pglite: PGlite): (message: Uint8Array) => Promise<Execution> {
  const module = pglite.Module;
  const takeMessage = module._PostgresMainLoopOnce;
  const stackRestore = module.stackRestore;
  let crash: Crash | null = null;
  let isStuck = false;

  module._PostgresMainLoopOnce = () => {
    try {
      takeMessage();
    } catch (error) {
      if (statusOf(error) !== statementFailed) {
        // When a PANIC is thrown, its message has already been sent, and says more than the thrown
        // error.
        if (isStuck) crash ??= describeCrash(error);
        isStuck = true;
      }
      throw error;
    }
  };
  // PGlite calls this between two calls of `_PostgresMainLoopOnce`, so an error thrown here ends
  // its loop.
  module.stackRestore = (pointer) => {
    if (crash !== null) throw new Error(crash.message);
    return stackRestore(pointer);
  };

  return async (message) => {
    if (crash !== null) return { bytes: new Uint8Array(), crash };
    const chunks: Uint8Array[] = [];
    const execution = pglite.execProtocolRawStream(message, {
      syncToFs: false,
      // Copied, because the database writes the next chunk into the same memory.
      onRawData: (chunk) => chunks.push(chunk.slice()),
    });
    try {
      await execution;
    } catch (error) {
      crash ??= describeCrash(error);
    }
    const bytes = concatBytes(chunks);
    if (isStuck) crash = panicIn(bytes) ?? crash ?? describeCrash('It takes no more messages.');
    return { bytes, crash };
  };
}

function panicIn(bytes: Uint8Array): Crash | null {
  try {
    readResults(bytes, () => undefined);
    return null;
  } catch (error) {
    const isPanic = error instanceof messages.DatabaseError && error.severity === 'PANIC';
    return isPanic ? { message: error.message, code: error.code ?? null } : null;
  }
}

function describeCrash(error: unknown): Crash {
  return { message: error instanceof Error ? error.message : String(error), code: null };
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
}
