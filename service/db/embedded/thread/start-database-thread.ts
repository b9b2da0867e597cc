import { Worker } from 'node:worker_threads';
import { sqlstate } from '../../../sqlstate.ts';
import { CrashWatch, type Connection } from '../client/connection.ts';
import type { Crash } from '../create-executor.ts';
import type { ThreadData, ThreadRequest, ThreadResult } from './messages.ts';

/** The database could not be opened. `isAbort`: PostgreSQL aborted, as with damaged files. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  readonly isAbort: boolean;

  constructor(cause: Error, isAbort: boolean) {
    super(cause.message, { cause });
    this.isAbort = isAbort;
  }
}

export type DatabaseThread = Connection & {
  /** Stops the database immediately, without a checkpoint. Callers treat this as a crash. */
  abandon: (reason: string) => void;
};

/**
 * Opens the embedded database in its own thread, so that calls and deliveries continue while it
 * runs a statement.
 *
 * @param script the module that the thread runs
 * @throws OpenError if the database does not open; CrashError if it crashes before that
 */
export async function startDatabaseThread(
  data: ThreadData,
  script = new URL('database-thread.ts', import.meta.url),
): Promise<DatabaseThread> {
  const thread = new StartedThread(
    new Worker(script, {
      workerData: data,
      // Without the `--import` flags of this process, which are meant for its main thread.
      execArgv: [],
    }),
  );
  try {
    await thread.opened;
  } catch (error) {
    await thread.stop();
    throw error;
  }
  return {
    send: (message) => thread.send(message),
    onCrash: (fn) => thread.onCrash(fn),
    abandon: (reason) => thread.abandon(reason),
    close: () => thread.close(),
  };
}

/** A thread, from its start to its end. After a crash it is not used any more. */
class StartedThread {
  readonly #worker: Worker;
  readonly #opened = Promise.withResolvers<void>();
  /** Resolved when the database is closed, and when it has crashed. */
  readonly #closed = Promise.withResolvers<void>();
  readonly #crashWatch = new CrashWatch();
  readonly #pending = new PendingResults<Uint8Array>();
  #isClosing = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (result: ThreadResult) => this.#accept(result));
    worker.on('error', (error) => {
      this.#crash({ message: error instanceof Error ? error.message : String(error), code: null });
    });
    worker.on('exit', () => {
      if (!this.#isClosing) this.#crash({ message: 'Its thread has ended.', code: null });
      this.#closed.resolve();
    });
  }

  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  async send(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const { crash } = this.#crashWatch;
    if (crash !== null) throw crash;
    if (this.#isClosing) throw new Error('The embedded database is closed.');
    const result = this.#pending.add();
    this.#post(message, [message.buffer]);
    return await result;
  }

  onCrash(fn: (cause: Error) => void): void {
    this.#crashWatch.onCrash(fn);
  }

  abandon(reason: string): void {
    void this.#worker.terminate();
    this.#crash({ message: reason, code: sqlstate.crashShutdown });
  }

  /** Closes the database, unless it has crashed, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#crashWatch.crash === null) {
      this.#post('close');
      await this.#closed.promise;
    }
    await this.stop();
  }

  /** Ends the thread immediately. */
  async stop(): Promise<void> {
    this.#isClosing = true;
    await this.#worker.terminate();
  }

  #accept(result: ThreadResult): void {
    if (result.type === 'opened') this.#opened.resolve();
    else if (result.type === 'failed') {
      this.#opened.reject(new OpenError(result.error, result.isAbort));
    } else if (result.type === 'closed') this.#closed.resolve();
    else if (result.crash === null) this.#pending.resolveNext(result.bytes);
    else this.#crash(result.crash);
  }

  #crash(cause: Crash): void {
    const crash = this.#crashWatch.note(cause);
    this.#opened.reject(crash);
    this.#closed.resolve();
    this.#pending.rejectAll(crash);
  }

  #post(request: ThreadRequest, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }
}

/** How many settled promises are kept before they are removed together. */
const maxSettled = 1000;

/** A queue of promises, resolved in the order in which they were added. */
class PendingResults<Value> {
  #promises: PromiseWithResolvers<Value>[] = [];
  #next = 0;

  async add(): Promise<Value> {
    const added = Promise.withResolvers<Value>();
    this.#promises.push(added);
    return await added.promise;
  }

  resolveNext(value: Value): void {
    this.#promises[this.#next]?.resolve(value);
    this.#next += 1;
    // Not after each result, because removing the first element moves all the others.
    if (this.#next < this.#promises.length && this.#next < maxSettled) return;
    this.#promises = this.#promises.slice(this.#next);
    this.#next = 0;
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#promises.slice(this.#next)) reject(error);
    this.#promises = [];
    this.#next = 0;
  }
}
