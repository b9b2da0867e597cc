import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { feedMediaType } from '#lib/contract/events/event-feed.ts';
import type { Context } from '../../context.ts';
import type { Config } from '../../config/load-config.ts';
import type { ClientPatience } from '../../http/listener/listener.ts';
import { readJson } from '../api.ts';
import type { ApiResponse, TestApi } from '../api.ts';
import { TestListener } from './test-listener.ts';

/** A request as it is sent over the wire, without normalization. */
export type WireRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/** How long anything may take before it counts as hung, even on a busy machine. */
const patienceMs = 20_000;
const quietMs = 100;

/** The API of the suite that calls this, behind the listener of production. */
export function useApiListener(ctx: Context & { config: Config }, api: TestApi): ApiListener {
  const listener = new ApiListener();
  beforeAll(() => listener.serve(ctx, api));
  afterAll(() => listener.close());
  return listener;
}

export class ApiListener {
  readonly #listener = new TestListener();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  async serve(
    { config, log }: Context & { config: Config },
    api: TestApi,
    patience: ClientPatience = {},
  ): Promise<void> {
    await this.#listener.reopen({
      config: { ...config, host: '127.0.0.1' },
      log,
      api: (request) => api.app.fetch(request),
      preparePages: null,
      patience,
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** Sends a request over a kept-alive connection. @throws if there is no response in time */
  async ask({ method, path, headers, body }: WireRequest): Promise<ApiResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: this.#listener.port,
        method,
        path,
        // Node by itself sends the body of a DELETE or OPTIONS without a length.
        headers: {
          ...headers,
          ...(body !== null && { 'Content-Length': Buffer.byteLength(body) }),
        },
        agent: this.#agent,
        signal: AbortSignal.timeout(patienceMs),
      },
      resolve,
    ).on('error', reject);
    request.end(body ?? undefined);
    const message = await promise;
    const received = await readText(message);
    const responseHeaders = new Headers(
      Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
    );
    return {
      status: message.statusCode ?? 0,
      headers: responseHeaders,
      text: received,
      body: readJson(responseHeaders, received),
    };
  }

  /**
   * Writes raw bytes and reads until the other side closes. When nothing more arrives, it closes
   * its own half, like a client that has sent everything.
   */
  async write(bytes: string): Promise<string> {
    const socket = await this.open();
    const received = untilClosed(socket);
    socket.setTimeout(quietMs, () => socket.end());
    socket.write(bytes, 'latin1');
    return await received;
  }

  async open(): Promise<Socket> {
    const socket = connect({ port: this.#listener.port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return socket;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#listener.drain(patienceMs);
  }
}

/** The text of a response, or the first piece of a stream that does not end by itself. */
async function readText(message: IncomingMessage): Promise<string> {
  if (message.headers['content-type'] !== feedMediaType) return await text(message);
  const [piece] = (await once(message, 'data')) as [Buffer];
  message.destroy();
  return piece.toString();
}

/** Everything that arrives until the other side closes or resets. @throws if that takes too long */
export async function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // oxlint-disable-next-line no-restricted-globals -- a deadline, no sleep
  const timer = setTimeout(() => {
    socket.destroy();
    reject(new Error(`the connection hangs after ${Buffer.concat(chunks).toString('latin1')}`));
  }, patienceMs);
  socket
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    // A reset ends the connection too; what arrived before it counts.
    .on('error', () => socket.destroy())
    .on('end', () => socket.end())
    .on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
