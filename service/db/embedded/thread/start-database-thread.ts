import { Worker } from 'node:worker_threads';
import { sqlstate } from '../../../sqlstate.ts';
import { CrashWatch } from '../client/connection.ts';
import type { Connection } from '../client/connection.ts';
import type { Crash } from '../create-executor.ts';
import { PendingResults } from './pending-results.ts';
import type { ThreadResult, ThreadData, ThreadRequest } from './messages.ts';

/**
 * The database could not be opened. `isAbort`: PostgreSQL's own code aborted, as with damaged
 * files.
 */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  readonly isAbort: boolean;

  constructor(cause: Error, isAbort: boolean) {
    super(cause.message, { cause });
    this.isAbort = isAbort;
  }
}

export type DatabaseThread = Connection & {
  /** Stops the database at once, without a checkpoint. Callers treat this as a crash. */
  abandon: (reason: string) => void;
};

/**
 * Opens the embedded database in its own thread, so that calls and deliveries continue while it
 * runs a statement.
 *
 * @throws OpenError
 */
export async function startDatabaseThread(
  data: ThreadData,
  script = new URL('database-thread.ts', import.meta.url),
): Promise<DatabaseThread> {
  const worker = new Worker(script, {
    workerData: data,
    // Without the `--import` flags of this process, which are meant for its main thread.
    execArgv: [],
  });
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const watch = new CrashWatch();
  const pending = new PendingResults<Uint8Array>();

  function end(cause: Crash): void {
    const crash = watch.note(cause);
    opened.reject(crash);
    closed.resolve();
    pending.rejectAll(crash);
  }

  worker.on('message', (result: ThreadResult) => {
    if (result.type === 'opened') opened.resolve();
    else if (result.type === 'failed') opened.reject(new OpenError(result.error, result.isAbort));
    else if (result.type === 'closed') closed.resolve();
    else if (result.crash === null) pending.resolveNext(result.bytes);
    else end(result.crash);
  });
  worker.on('error', (error) => {
    end({ message: error instanceof Error ? error.message : String(error), code: null });
  });
  let isClosing = false;
  worker.on('exit', () => {
    if (!isClosing) end({ message: 'Its thread has ended.', code: null });
    closed.resolve();
  });
  const post = (request: ThreadRequest, transfer: ArrayBuffer[] = []) => {
    worker.postMessage(request, transfer);
  };
  const stop = async () => {
    isClosing = true;
    await worker.terminate();
  };

  try {
    await opened.promise;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async send(message) {
      if (watch.crash !== null) throw watch.crash;
      if (isClosing) throw new Error('The embedded database is closed.');
      const result = pending.add();
      post(message, [message.buffer]);
      return await result;
    },
    onCrash(fn) {
      watch.onCrash(fn);
    },
    abandon(reason) {
      void worker.terminate();
      end({ message: reason, code: sqlstate.crashShutdown });
    },
    async close() {
      isClosing = true;
      if (watch.crash === null) {
        post('close');
        await closed.promise;
      }
      await stop();
    },
  };
}
