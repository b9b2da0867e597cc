import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A receiver of webhooks on this machine. */
export type Receiver = { origin: string; close(): void };

const responders = {
  /** A receiver that works. */
  '/orders': async (response: ServerResponse) => {
    await pause(20 + Math.random() * 60);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"received":true}');
  },
  /**
   * One in four deliveries fails, so that there are retries. Its clock is wrong, which the signature
   * doctor finds out.
   */
  '/analytics': async (response: ServerResponse) => {
    await pause(100 + Math.random() * 400);
    if (Math.random() < 0.25) {
      response.writeHead(503, { 'Retry-After': '15' }).end('The warehouse is being loaded.');
    } else {
      response.writeHead(202, { Date: new Date(Date.now() - 12 * 60_000).toUTCString() }).end();
    }
  },
  /** Every delivery fails. */
  '/crm': async (response: ServerResponse) => {
    await pause(30);
    response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>Internal Server Error</h1>');
  },
};

/** Starts the receiver on a free port of the loopback interface. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume();
    const respond = Object.entries(responders).find(([path]) => path === request.url)?.[1];
    if (respond) void respond(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
