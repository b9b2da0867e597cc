import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { environment } from './environment.ts';

/** A request that was received. */
export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body exactly as it was sent: the signature covers these characters. */
  body: string;
};

export type ReceiverResponse = { status: number; headers?: Record<string, string>; body?: string };

/** A server of the suite to which webhooks can point. */
export type Receiver = {
  /** The URL at which the service reaches it; any path below it works as well. */
  url: string;
  /** Everything received, oldest first. */
  requests: readonly ReceivedRequest[];
  /**
   * Sets the responses from now on: with several, one for each request, and the last for all that
   * follow. 204 by default.
   */
  respondWith: (...responses: [ReceiverResponse, ...ReceiverResponse[]]) => void;
  /**
   * Waits until this many requests have arrived in total, and returns the last of them; or waits
   * for the first request for which `where` returns true.
   */
  received: (
    wanted: number | { where: (request: ReceivedRequest) => boolean },
  ) => Promise<ReceivedRequest>;
  /**
   * Whether a request was signed with this secret within the last 5 minutes, as a receiver must
   * check.
   * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#verifying-webhook-authenticity
   */
  verify: (request: ReceivedRequest, secret: string) => boolean;
  close: () => Promise<void>;
};

/**
 * Starts a receiver on a free port that only this machine can reach. With MESSAGING_RECEIVER_URL, the
 * URL at which a service elsewhere reaches this machine, it listens on every interface and
 * MESSAGING_RECEIVER_PORT.
 */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const scripted: ReceiverResponse[] = [];
  let usual: ReceiverResponse = { status: 204 };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    requests.push({ method, path, headers, body: await readText(incoming) });
    const { status, headers: told, body } = scripted.shift() ?? usual;
    response.writeHead(status, told).end(body);
  }

  const server = createServer((incoming, response) => {
    // A caller may disconnect before it gets its response.
    serve(incoming, response).catch(() => response.destroy());
  });
  const reachedAt = environment.receiverUrl;
  if (reachedAt) server.listen(Number(environment.receiverPort ?? 0));
  else server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url: reachedAt ? reachedAt.replace(/\/$/, '') : `http://127.0.0.1:${port}`,
    requests,
    respondWith(...responses) {
      scripted.splice(0, scripted.length, ...responses.slice(0, -1));
      usual = responses.at(-1) ?? usual;
    },
    async received(wanted) {
      const find = () =>
        typeof wanted === 'number' ? requests[wanted - 1] : requests.find(wanted.where);
      await expect
        .poll(() => find() !== undefined, {
          message: 'the request arrives',
          timeout: 20_000,
        })
        .toBe(true);
      const request = find();
      if (request === undefined) throw new Error('The request did not arrive.');
      return request;
    },
    verify: isSignedWith,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const toleranceSeconds = 300;

function isSignedWith({ headers, body }: ReceivedRequest, secret: string): boolean {
  const timestamp = String(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${timestamp}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
