// The worker thread that runs the embedded database; `start-database-thread.ts` starts it.
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { createExecutor } from '../create-executor.ts';
import type { ThreadResult, ThreadData, ThreadRequest } from './messages.ts';

const { folder, startParams, isOptimized } = workerData as ThreadData;

function post(result: ThreadResult, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(result, transfer);
}

async function respond(
  request: ThreadRequest,
  { pglite, execute }: { pglite: PGlite; execute: ReturnType<typeof createExecutor> },
): Promise<void> {
  if (request === 'close') {
    await pglite.close();
    post({ type: 'closed' });
    return;
  }
  const execution = await execute(request);
  post({ type: 'executed', ...execution }, [execution.bytes.buffer]);
}

/** Applies to WebAssembly that any thread of the process loads from now on. */
function compileOnce(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}

try {
  if (!isOptimized) compileOnce();
  const pglite = await PGlite.create(folder, { startParams });
  const database = { pglite, execute: createExecutor(pglite) };
  parentPort?.on('message', (request: ThreadRequest) => {
    // An error ends the thread, which the main thread treats as a crash.
    void respond(request, database);
  });
  post({ type: 'opened' });
} catch (error) {
  const isAbort = error instanceof Error && error.name === 'RuntimeError';
  post({
    type: 'failed',
    error: error instanceof Error ? error : new Error(String(error)),
    isAbort,
  });
}
