// The process that renders the dashboard, which `dashboard-process.ts` starts. It takes requests on a
// Unix socket, and ends when the service does.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { flushCompileCache } from 'node:module';
import { collectGarbage } from '../../boot/collect-garbage.ts';
import { keepCompiledCode } from '../../boot/compile-cache.ts';
import { endOnUncaughtErrors } from '../../boot/last-resort.ts';
import { readWholeRequest } from '../../whole-request.ts';
import { sendConsoleToLog } from '../../log/console-to-log.ts';
import { createLogger } from '../../log/log.ts';
import { prepareNextPages } from '../next-pages.ts';
import type { FromDashboard, ToDashboard } from './messages.ts';

// Ctrl-C and some supervisors signal both processes: the service still answers open requests, for
// which it needs this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
// Keeps the process alive until the service tells it to start, even if a preloaded module unreferenced the channel.
process.channel?.ref();
process.on('message', (message: ToDashboard) => {
  if (message.type === 'ping') tell({ type: 'pong' });
  else void start(message);
});

async function start(about: Extract<ToDashboard, { type: 'start' }>): Promise<void> {
  const { settings, socketPath, logLevel } = about;
  // The service writes the log: two writers could write into each other's lines.
  const log = createLogger({
    level: logLevel,
    isPretty: false,
    destination: { write: (line) => tell({ type: 'log', line }) },
  });
  sendConsoleToLog(console, log);
  endOnUncaughtErrors({ log, end: () => process.exit(1) });
  keepCompiledCode();

  const pages = await prepareNextPages({ settings, isDevelopment: false });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // If a client hangs up, the service breaks off the forwarded body too, so it is read whole here as well.
    const read = await readWholeRequest(request, Infinity);
    if (typeof read === 'object') await pages.handle(read.whole, response);
  }
  const server = createServer(serverOptions, (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a page was not rendered');
      response.destroy();
    });
  });
  server.listen(socketPath, () => tell({ type: 'ready' }));
  flushCompileCache();
  collectGarbage();
}

/** The service's listener has checked each request already, and opens and closes the connections. */
const serverOptions = {
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
  // Larger than the listener's own limit, because the listener adds headers.
  maxHeaderSize: 65_536,
};

function tell(message: FromDashboard): void {
  // Once the service is gone there is nobody to tell.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
