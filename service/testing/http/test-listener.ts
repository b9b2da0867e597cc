import { request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import type { Config } from '../../config/load-config.ts';
import { createHealth } from '../../http/listener/health.ts';
import { openListener } from '../../http/listener/listener.ts';
import type { Listener, ListenerOptions } from '../../http/listener/listener.ts';
import { createMetrics } from '../../metrics.ts';
import { TestLog } from '../logger.ts';

export type TextResponse = { status: number; headers: IncomingMessage['headers']; text: string };

export const listenerConfig = { ...loadConfig({}), publicUrl: new URL('https://keys.example.com') };

/** One for all listeners: each would go on observing the process after its test. */
const metrics = createMetrics();

/** Another listener for each test of the suite that calls this. */
export function useListener(options: Partial<ListenerOptions> = {}): TestListener {
  const listener = new TestListener();
  beforeEach(async () => {
    Object.assign(listener, new TestListener());
    await listener.reopen(options);
  });
  afterEach(() => listener.close());
  return listener;
}

/**
 * A listener on a free port. Unless a test gives others, its API and its pages respond with the
 * request that reached them, which `arrived` reads.
 */
export class TestListener {
  log = new TestLog();
  /** The behavior of the database. */
  ping = async (): Promise<void> => undefined;
  probeWrite = async (): Promise<void> => undefined;
  isDraining = false;
  #listener: Listener | null = null;

  /** Opens the listener; closes an earlier one and its connections at the same time. */
  async reopen(options: Partial<ListenerOptions>): Promise<void> {
    await this.drain(0);
    this.#listener = await openListener({
      config: listenerConfig,
      port: 0,
      log: this.log.logger,
      metrics,
      health: this.healthOf({ publicUrl: new URL('http://localhost:3000') }),
      api: async (request) =>
        Response.json({ path: new URL(request.url).pathname, headers: [...request.headers] }),
      preparePages: async () => async (request, response) => {
        response.setHeader('Cache-Control', 's-maxage=31536000');
        response.end(
          JSON.stringify({ path: request.url, headers: Object.entries(request.headers) }),
        );
      },
      ...options,
    });
  }

  healthOf(settings: Pick<Config, 'publicUrl'> & Partial<Pick<Config, 'metricsToken'>>) {
    return createHealth({
      ping: () => this.ping(),
      probeWrite: () => this.probeWrite(),
      isDraining: () => this.isDraining,
      metrics,
      metricsToken: null,
      ...settings,
    });
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  async drain(graceMs: number): Promise<void> {
    await this.#listener?.drain(graceMs);
  }

  /**
   * Closes the listener and its connections at the same time. Throws if an error was logged that no
   * test expected.
   */
  async close(): Promise<void> {
    await this.drain(0);
    this.log.assertNoUnexpectedErrors();
  }

  async ask(
    path: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {},
  ): Promise<TextResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    httpRequest(
      {
        host: '127.0.0.1',
        port: this.port,
        path,
        method,
        headers: { Host: 'localhost', ...headers },
      },
      resolve,
    )
      .on('error', reject)
      .end();
    const response = await promise;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await text(response),
    };
  }

  /** Sends these bytes on a connection of its own, and returns everything that comes back. */
  async write(bytes: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    socket.write(bytes);
    return await text(socket);
  }
}

/** The request that arrived behind the listener. */
export function arrived(response: TextResponse): { path: string; headers: Map<string, string> } {
  const { path, headers } = JSON.parse(response.text) as {
    path: string;
    headers: [string, string][];
  };
  return { path, headers: new Map(headers) };
}
