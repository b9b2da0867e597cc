// The process that renders the dashboard, started by `dashboard-process.ts`. It accepts requests on
// a Unix socket, and ends with the service.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { flushCompileCache } from 'node:module';
import { collectGarbage } from '../../boot/collect-garbage.ts';
import { endOnUncaughtErrors } from '../../boot/end-on-uncaught-errors.ts';
import { readWholeRequest } from '../../network/whole-request.ts';
import { sendConsoleToLog } from '../../log/console-to-log.ts';
import { createLogger } from '../../log/log.ts';
import { prepareNextPages } from '../next-pages.ts';
import type { FromDashboard, ToDashboard } from './messages.ts';

// Ctrl-C and some supervisors signal both processes, but the service still completes open requests,
// for which it needs this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
// Keeps the process alive until the service sends the start message, even if a preloaded module
// unreferenced the channel.
process.channel?.ref();
process.on('message', (message: ToDashboard) => {
  if (message.type === 'ping') sendMessage({ type: 'pong' });
  else void start(message);
});

async function start({
  settings,
  socketPath,
  logLevel,
}: Extract<ToDashboard, { type: 'start' }>): Promise<void> {
  // Only the service writes the log: two writers could mix their lines.
  const log = createLogger({
    level: logLevel,
    isPretty: false,
    destination: { write: (line) => sendMessage({ type: 'log', line }) },
  });
  sendConsoleToLog(console, log);
  endOnUncaughtErrors({ log, end: () => process.exit(1) });

  const pages = await prepareNextPages({ settings, isDevelopment: false });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // If a client disconnects, the service breaks off the forwarded body too, so this process reads
    // it completely first.
    const read = await readWholeRequest(request, Infinity);
    if (typeof read === 'object') await pages.respond(read.whole, response);
  }
  const server = createServer(serverOptions, (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    respond(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a page was not rendered');
      response.destroy();
    });
  });
  server.listen(socketPath, () => sendMessage({ type: 'ready' }));
  flushCompileCache();
  collectGarbage();
}

/** The service's listener has checked each request, and opens and closes connections. */
const serverOptions = {
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
  // Larger than the listener's own limit, because the listener adds headers.
  maxHeaderSize: 65_536,
};

function sendMessage(message: FromDashboard): void {
  // Once the service has ended, nobody receives the message.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
