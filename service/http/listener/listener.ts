import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as SocketServer, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Budget } from '../../concurrency/budget.ts';
import { Slots } from '../../concurrency/slots.ts';
import type { Config } from '../../config/load-config.ts';
import { bodyMemory } from '../../domain/capacity/workload.ts';
import type { Logger } from '../../log/log.ts';
import { listen } from '../../network/listen.ts';
import type { Metrics, Surface } from '../../metrics.ts';
import { ResponseWithHeaders, securityHeaders } from './response-with-headers.ts';
import { AddressSigner } from './client/address-signer.ts';
import { sanitizeHeaders } from './client/sanitize-headers.ts';
import { errorResponse, sendErrorResponse } from '../errors/error-response.ts';
import type { Health } from './health.ts';
import { OpenConnections } from './open-connections.ts';
import { respondWithPage } from './pages/respond-with-page.ts';
import type { PageHandler } from '../../pages/next-pages.ts';
import { refuseUnreadable, respondToFailedCall, respondToFailure } from './refuse-unreadable.ts';
import { handleInBatches } from './handle-in-batches.ts';

/** In milliseconds. A client that takes longer is disconnected at the next check. */
export type ClientPatience = Pick<
  ServerOptions,
  'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'
> & {
  /** How long a connection may neither receive nor send a byte while a response is in progress. */
  inactivityTimeout?: number;
};

export type Listener = {
  /** The port on which it actually listens. */
  port: number;
  /** Stops accepting, completes responses in progress, and closes the rest after `patienceMs`. */
  drain(patienceMs: number): Promise<void>;
};

/** The status that nginx logs for a request whose client hung up before the response. */
const clientHungUp = 499;

type ListenerServer = Server<typeof IncomingMessage, typeof ResponseWithHeaders>;

export type ListenerOptions = {
  config: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'keepAliveSeconds'>;
  /** A port, or a server that already holds one. */
  port: number | SocketServer;
  log: Logger;
  metrics: Metrics;
  health: Health;
  api: ((request: Request) => Response | Promise<Response>) | null;
  /** Makes the pages ready; the development server attaches its web socket to `server`. */
  preparePages: ((server: Server) => Promise<PageHandler>) | null;
  /**
   * The path of that web socket. Requests below it may upgrade; the Upgrade header of any other is
   * ignored (RFC 9110, 7.8).
   */
  upgradesBelow?: string;
  /** Memory for the bodies of requests for pages that are still arriving. */
  bodies?: Budget;
  /** Time limits for clients, in place of the usual ones. */
  patience?: ClientPatience;
};

/**
 * The one HTTP server of a process. `/api` goes to the API, the three health paths to `health`,
 * everything else to the pages. If this process does not run the API or the pages, their paths
 * respond with 404.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { config, log, metrics } = options;
  const everyResponse = securityHeaders(config.publicUrl);
  const { server, connections } = createListenerServer(options);
  const respond = await createResponder(options, { server, connections });

  handleInBatches(server, (request, response, arrived) => {
    const surface = surfaceOf(request);
    // Pages set headers one by one, and may replace these.
    if (surface !== 'pages') response.addHeaders(everyResponse);
    else for (const name in everyResponse) response.setHeader(name, everyResponse[name] ?? '');
    // If a client disconnects, the response closes as well; the `close` handler below deals with
    // it.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    response.on('close', () => {
      const seconds = (performance.now() - arrived) / 1000;
      // Node's default status is 200, also if the client hung up before there was a response.
      const status = response.headersSent ? response.statusCode : clientHungUp;
      metrics.observeRequest({ surface, status, seconds });
    });
    respond(request, response, surface).catch((error: unknown) => {
      respondToFailure(error, { request, response, log });
    });
  });
  refuseUnreadable(server, { headers: everyResponse, log });
  return {
    port: await listen(server, { port: options.port, host: config.host }),
    drain: (patienceMs) => connections.drain(patienceMs),
  };
}

function createListenerServer({
  config,
  upgradesBelow,
  patience: { inactivityTimeout = usualInactivityTimeout, ...patience } = {},
}: Pick<ListenerOptions, 'config' | 'upgradesBelow' | 'patience'>): {
  server: ListenerServer;
  connections: OpenConnections;
} {
  const server = createServer({
    ...serverOptions,
    keepAliveTimeout: config.keepAliveSeconds * 1000,
    ServerResponse: ResponseWithHeaders,
    ...patience,
    // Without this, a library that listens for `upgrade` would get every request that asks for one.
    shouldUpgradeCallback({ url, socket }) {
      const isMeant = upgradesBelow !== undefined && url?.startsWith(upgradesBelow) === true;
      if (!isMeant || server.listenerCount('upgrade') === 0) return false;
      connections.noteUpgrade(socket);
      return true;
    },
  });
  server.timeout = inactivityTimeout;
  const connections = new OpenConnections(server);
  return { server, connections };
}

type Respond = (
  request: IncomingMessage,
  response: ResponseWithHeaders,
  surface: Surface | null,
) => Promise<void>;

/** Prepares the parts to which requests go, and returns what passes a request to its part. */
async function createResponder(
  options: ListenerOptions,
  { server, connections }: { server: ListenerServer; connections: OpenConnections },
): Promise<Respond> {
  const { config, log, health, bodies = new Budget(bodyMemory) } = options;
  const { publicUrl } = config;
  const turns = new Slots<Socket>(pipelining);
  const signer = new AddressSigner();
  const pages = (await options.preparePages?.(server)) ?? respondNotFound;
  const api = options.api
    ? getRequestListener(options.api, { errorHandler: (error) => respondToFailedCall(error, log) })
    : respondNotFound;

  return async (request, response, surface) => {
    if (!(await isItsTurn(request, response, turns))) return;
    connections.trackResponse(request.socket, response);
    if (surface === null || !hasOneHost(request)) {
      sendErrorResponse(response, errorResponse('BAD_REQUEST'));
      return;
    }
    const origin = sanitizeHeaders(request, config, signer);
    if (surface === 'health') await health.respond(request, response, origin);
    else if (surface === 'api') await api(request, response);
    else await respondWithPage(request, response, { origin, publicUrl, signer, bodies, pages });
  };
}

/**
 * Requests of a connection are carried out one after another. A client may send several without
 * waiting for responses (pipelining); Node begins them all at the same time and only sorts the
 * responses, so a DELETE could overtake the POST before it (RFC 9112, 9.3.2).
 *
 * A request takes far more memory than bytes on the wire: without a limit on those that wait, one
 * client could use up the memory of the service.
 */
const pipelining = { maxConcurrent: Infinity, maxPerKey: 1, maxQueuedPerKey: 200 };

/**
 * Waits until all earlier requests of the connection have got their responses. False if the
 * connection has ended, so that the request must not be carried out. A client that exceeds the
 * limit is disconnected, because Node keeps each request until it got its response.
 */
async function isItsTurn(
  { socket }: IncomingMessage,
  response: ServerResponse,
  turns: Slots<Socket>,
): Promise<boolean> {
  const slot = turns.acquire(socket);
  if (slot === null) socket.destroy();
  const release = slot instanceof Promise ? await slot : slot;
  if (!release || !socket.writable) {
    release?.();
    return false;
  }
  response.once('close', release);
  return true;
}

/**
 * Longer than any call takes. Without it, a client that never reads a response would hold its
 * connection, and the response, for as long as it likes.
 */
const usualInactivityTimeout = 120_000;

const serverOptions = {
  /** How long a client that sends its headers or body slowly can hold a connection. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16_384,
  /** Node's own refusal has no body, so `hasOneHost` checks this instead. */
  requireHostHeader: false,
  /**
   * Node does not set up the body stream of a request that has no body. That makes small calls
   * faster. Such a request emits neither `end` nor `close`: listen to its response.
   */
  optimizeEmptyRequests: true,
};

/**
 * Several are refused, because a proxy may have chosen another one than Node, which keeps the first
 * (RFC 9112, 3.2). HTTP/1.0 needs none.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** The part that a request is for; null for `*` and absolute URLs, which are for proxies. */
function surfaceOf({ url = '' }: IncomingMessage): Surface | null {
  if (!url.startsWith('/')) return null;
  const [path] = url.split('?', 1);
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'health';
  return path === '/api' || path?.startsWith('/api/') ? 'api' : 'pages';
}

async function respondNotFound(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendErrorResponse(response, errorResponse('NOT_FOUND'));
}
