import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import { RequestError, getRequestListener } from '@hono/node-server';
import type { Config } from '../../config/load-config.ts';
import type { Logger } from '../../log/log.ts';
import type { Metrics, Surface } from '../../metrics.ts';
import { isReadableByNext } from './pages/is-readable-by-next.ts';
import { ResponseWithHeaders } from './response-with-headers.ts';
import { AddressSigner, addressSignatureHeader } from './client/address-signer.ts';
import { cleanseHeaders, setHeader } from './client/cleanse-headers.ts';
import type { RequestOrigin } from './client/cleanse-headers.ts';
import { errorResponse, sendErrorResponse } from '../errors/error-response.ts';
import type { Health } from './health.ts';
import { listenError } from '../../boot/listen-error.ts';
import { OpenConnections } from './open-connections.ts';
import { refusePage } from './pages/refuse-page.ts';
import { refuseLargeBody } from './refuse-large-body.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { securityHeaders } from './security-headers.ts';
import { handleInBatches } from './handle-in-batches.ts';
import { RequestQueue } from './request-queue.ts';
import { readWholeRequest } from '../../whole-request.ts';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** In milliseconds. A client that takes longer is disconnected at the next check. */
export type ClientPatience = Pick<
  ServerOptions,
  'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'
>;

export type Listener = {
  /** The port on which it actually listens. */
  port: number;
  /**
   * Stops accepting connections, completes responses in progress, and closes the remaining
   * connections after `patienceMs`.
   */
  drain(patienceMs: number): Promise<void>;
};

/** The status that nginx logs for a request whose client hung up before the response. */
const clientHungUp = 499;

/**
 * The one HTTP server of a process. `/api` goes to the API, the three health paths to `health`,
 * everything else to the pages. If this process does not run the API or the pages, their paths
 * respond with 404.
 */
export async function openListener(options: {
  config: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;
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
  upgradesBelow?: string | undefined;
  /** Time limits for clients, in place of the usual ones. */
  patience?: ClientPatience;
}): Promise<Listener> {
  const { config, log, metrics, health, upgradesBelow } = options;
  const everyResponse = securityHeaders(config.publicUrl);
  const server = createServer({
    ...serverOptions,
    ServerResponse: ResponseWithHeaders as typeof ServerResponse,
    ...options.patience,
    // Without this, a library that listens for `upgrade` would get every request that asks for one.
    shouldUpgradeCallback({ url, socket }) {
      const isMeant = upgradesBelow !== undefined && url?.startsWith(upgradesBelow) === true;
      if (!isMeant || server.listenerCount('upgrade') === 0) return false;
      connections.noteUpgrade(socket);
      return true;
    },
  });
  const connections = new OpenConnections(server);
  const requestQueue = new RequestQueue();
  const signer = new AddressSigner();
  const pages = (await options.preparePages?.(server)) ?? respondNotFound;
  const api = options.api
    ? getRequestListener(options.api, { errorHandler: respondToFailedCall })
    : respondNotFound;

  /**
   * For errors outside the error handling of the API: a path that is not a valid URL, or an
   * unexpected failure.
   */
  function respondToFailedCall(error: unknown): Response {
    const isUnreadable = error instanceof RequestError;
    const failure = errorResponse(isUnreadable ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
    if (!isUnreadable) {
      log.error({ err: error, request_id: failure.requestId }, 'a request got no response');
    }
    return new Response(failure.body, failure);
  }

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    surface: Surface | null,
  ): Promise<void> {
    const turn = requestQueue.wait(request, response);
    if (turn !== true && !(await turn)) return;
    connections.trackResponse(request.socket, response);
    if (surface === null || lacksHost(request)) {
      sendErrorResponse(response, errorResponse('BAD_REQUEST'));
      return;
    }
    const origin = cleanseHeaders(request, config, signer);
    if (surface === 'health') await health.respond(request, response, origin);
    else if (surface === 'api') await api(request, response);
    else await respondWithPage(request, response, origin);
  }

  async function respondWithPage(
    request: IncomingMessage,
    response: ServerResponse,
    origin: RequestOrigin,
  ): Promise<void> {
    if (!request.url?.startsWith('/_next/static/')) keepOutOfCaches(response);
    // Next responds with 500 to some of these.
    if (!hasDecodablePath(request)) {
      if (wantsPage(request)) sendText(response, 400, 'This URL contains an invalid % sequence.');
      else sendErrorResponse(response, errorResponse('BAD_REQUEST'));
      return;
    }
    const refusal = refusePage(request, { host: origin.host, publicUrl: config.publicUrl });
    if (refusal) {
      if (refusal.status === 405) response.setHeader('Allow', refusal.allowed);
      sendText(response, refusal.status, refusal.message);
      return;
    }
    const read = await readWholeRequest(request, maxPageBodyBytes);
    if (read === 'gone') return;
    if (read === 'too large') {
      refuseLargeBody(request, response, 'The dashboard takes at most 64 KiB at once.');
      return;
    }
    const { whole, body } = read;
    if (!isReadableByNext(whole, body)) {
      sendErrorResponse(response, errorResponse('VALIDATION_ERROR', unreadableArguments));
      return;
    }
    setForwardedHeaders(whole, origin, config.publicUrl);
    setHeader(whole, addressSignatureHeader, signer.sign(origin.address));
    await pages(whole, response);
  }

  handleInBatches(server, (request, response, arrived) => {
    const surface = surfaceOf(request);
    // Pages set headers one by one, and may replace these.
    if (surface !== 'pages' && response instanceof ResponseWithHeaders)
      response.addHeaders(everyResponse);
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
      const failure = errorResponse('INTERNAL_ERROR');
      log.error(
        { err: error, request_id: failure.requestId, method: request.method },
        'a request got no response',
      );
      if (response.headersSent) response.destroy();
      else if (wantsPage(request)) sendText(response, failure.status, 'Something went wrong.');
      else sendErrorResponse(response, failure);
    });
  });
  refuseUnreadable(server, { headers: everyResponse, log });
  await listen(server, options.port, config.host);

  return {
    port: portOf(server),
    drain: (patienceMs) => connections.drain(patienceMs),
  };
}

/** Forms are small. Next itself would accept a body of megabytes from anybody. */
const maxPageBodyBytes = 65_536;

const unreadableArguments = {
  body: ['The dashboard cannot read this. Reload the page and try again.'],
};

const serverOptions = {
  /**
   * The longest time for which a client that sends its headers or body slowly can hold a
   * connection.
   */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  /** Longer than the 60 s after which common load balancers close idle connections. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  /** Node's own refusal has no body, so `lacksHost` checks this instead. */
  requireHostHeader: false,
  /**
   * Node does not set up the body stream of a request that has no body. That saves a tenth of the time
   * of a small call. Such a request emits neither `end` nor `close`: listen to its response.
   */
  optimizeEmptyRequests: true,
};

function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0';
}

function hasDecodablePath({ url = '' }: IncomingMessage): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Whether a person sees the response in a browser. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

/**
 * The part of the service for which a request is; null for `*` and absolute URLs, which are meant
 * for proxies.
 */
function surfaceOf({ url = '' }: IncomingMessage): Surface | null {
  if (!url.startsWith('/')) return null;
  const [path] = url.split('?', 1);
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'health';
  return path === '/api' || path?.startsWith('/api/') ? 'api' : 'pages';
}

/** Next compares origins with these headers and builds URLs from them. */
function setForwardedHeaders(
  request: IncomingMessage,
  origin: RequestOrigin,
  publicUrl: URL,
): void {
  const host = origin.host ?? publicUrl.host;
  const protocol = host === publicUrl.host ? publicUrl.protocol : 'http:';
  request.headers.host = host;
  setHeader(request, 'x-forwarded-host', host);
  setHeader(request, 'x-forwarded-proto', protocol.slice(0, -1));
  setHeader(request, 'x-forwarded-for', origin.address);
}

/** Next marks pages that it rendered at build time as cacheable; this overrides it. */
function keepOutOfCaches(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    response.setHeader('Cache-Control', 'no-store');
    return writeHead(...args.map(withoutCacheControl));
  };
}

/** Headers passed to `writeHead` would override those that were set before. */
function withoutCacheControl(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return argument;
  const entries = Object.entries(argument);
  return Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'cache-control'));
}

async function respondNotFound(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendErrorResponse(response, errorResponse('NOT_FOUND'));
}

function sendText(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${message}\n`);
}

async function listen(server: Server, port: number | SocketServer, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  if (typeof port === 'number') server.listen({ port, host }, resolve);
  else server.listen(port, resolve);
  try {
    await promise;
  } catch (error) {
    throw listenError(error, { port: typeof port === 'number' ? port : 0, host });
  }
  server.off('error', reject);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
