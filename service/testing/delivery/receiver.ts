import { createServer as createPlainServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
// oxlint-disable-next-line no-restricted-imports -- slow receivers are what these tests are about
import { setTimeout as pause } from 'node:timers/promises';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { certificates } from './certificates.ts';

/** A received request. */
export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The number of its connection, counted from 1. */
  connection: number;
};

/** How a receiver handles a request. `signal` is aborted when the caller has disconnected. */
export type Responder = (exchange: {
  request: ReceivedRequest;
  response: ServerResponse;
  socket: Socket;
  signal: AbortSignal;
}) => void | Promise<void>;

export type Receiver = {
  /** Without a trailing slash, such as `http://127.0.0.1:40123`. */
  origin: string;
  port: number;
  /** All received requests, oldest first. */
  requests: readonly ReceivedRequest[];
  connections: { opened: number; open: number; maxOpen: number };
  /** Sets the next responses: each serves one request, and the last one serves all that follow. */
  respondWith(...responders: [Responder, ...Responder[]]): void;
  /** Resolves as soon as this many requests were received in all. */
  received(count: number): Promise<void>;
  /** Closes the server and every connection. */
  close(): Promise<void>;
};

/**
 * A real server on loopback that receives webhooks. It responds with 204 until other responses are
 * set.
 * @param options `certificate`: uses TLS with this certificate. `port`: a free port by default.
 */
export async function startReceiver(
  options: { certificate?: keyof typeof certificates; port?: number } = {},
): Promise<Receiver> {
  const { certificate, port = 0 } = options;
  const requests: ReceivedRequest[] = [];
  const connections = { opened: 0, open: 0, maxOpen: 0 };
  const numbers = new WeakMap<Socket, number>();
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const scripted: Responder[] = [];
  let usual: Responder = respond(204);

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: await readText(incoming),
      connection: numbers.get(incoming.socket) ?? 0,
    };
    requests.push(request);
    for (const waiter of waiting) {
      if (requests.length < waiter.count) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const responder = scripted.shift() ?? usual;
    await responder({ request, response, socket: incoming.socket, signal: gone.signal });
  }

  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    // The caller may disconnect at any point of a response; many tests are about that.
    serve(incoming, response).catch(() => response.destroy());
  };
  const server =
    certificate === undefined
      ? createPlainServer(listener)
      : createSecureServer(certificates[certificate], listener);
  server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.opened += 1;
    connections.open += 1;
    connections.maxOpen = Math.max(connections.maxOpen, connections.open);
    numbers.set(socket, connections.opened);
    socket.once('close', () => {
      connections.open -= 1;
    });
    socket.on('error', () => undefined);
  });
  const bound = await listenOnLoopback(server, port);

  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${bound}`,
    port: bound,
    requests,
    connections,
    respondWith(...responders) {
      const last = responders.at(-1);
      scripted.splice(0, scripted.length, ...responders.slice(0, -1));
      if (last) usual = last;
    },
    async received(count) {
      if (requests.length >= count) return;
      await new Promise<void>((resolve) => {
        waiting.add({ count, resolve });
      });
    },
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

export function respond(
  status: number,
  headers: Record<string, string | string[]> = {},
  body: string | Buffer = '',
): Responder {
  return ({ response }) => void response.writeHead(status, headers).end(body);
}

/** Waits before it responds. */
export function after(ms: number, responder: Responder): Responder {
  return async (exchange) => {
    await pause(ms, undefined, { signal: exchange.signal });
    await responder(exchange);
  };
}

/** Accepts the request and never responds. */
export function hang(): Responder {
  return () => undefined;
}

/** Resets the connection instead of responding. */
export function reset(): Responder {
  return ({ socket }) => void socket.resetAndDestroy();
}

/** Announces a body, sends a part of it, and closes the connection. */
export function breakOff(status = 200): Responder {
  return ({ response, socket }) => {
    response.writeHead(status, { 'content-length': '1000' });
    response.write('the first part', () => socket.destroy());
  };
}

/** An endless body, sent one byte at a time. */
export function trickle(everyMs = 1000): Responder {
  return async ({ response, signal }) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    while (!signal.aborted) {
      response.write('.');
      await pause(everyMs, undefined, { signal });
    }
  };
}

/** An endless body, sent as fast as it is read. */
export function endless(): Responder {
  return async ({ response }) => {
    const chunk = Buffer.alloc(16_384, 'a');
    function* chunks() {
      for (;;) yield chunk;
    }
    response.writeHead(200, { 'content-type': 'text/plain' });
    await pipeline(Readable.from(chunks()), response);
  };
}

/** A gigabyte of zeros, which is a few hundred KiB or less on the wire. */
export function bomb(encoding: 'gzip' | 'br' | 'zstd' = 'gzip'): Responder {
  return async ({ response }) => {
    const zeros = Buffer.alloc(1024 * 1024);
    function* gigabyte() {
      for (let sent = 0; sent < 1024; sent += 1) yield zeros;
    }
    response.writeHead(200, { 'content-encoding': encoding });
    await pipeline(Readable.from(gigabyte()), compressors[encoding](), response);
  };
}

const compressors = {
  gzip: () => createGzip(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: () => createZstdCompress(),
};

/** Writes this text to the socket instead of an HTTP response, and closes the connection. */
export function rawResponse(text: string): Responder {
  return ({ socket }) => void socket.end(text);
}
