import { once } from 'node:events';
import { Agent, createServer, request as ask } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** A response, from the API or in its place. */
export type ProxyResponse = { status: number; body?: unknown; headers?: Record<string, string> };

export type Call = {
  method: string;
  path: string;
  /** The request body, parsed. */
  body: unknown;
  /** Sends the request to the API after all. */
  pass: () => Promise<ProxyResponse>;
};

/**
 * A proxy between the dashboard and the API. It passes everything on, except calls to which a
 * test responds itself.
 */
export type ApiProxy = {
  origin: string;
  /** From now on the test responds to calls of this method whose path matches. */
  respondTo: (
    method: string,
    path: RegExp,
    respond: (call: Call) => ProxyResponse | Promise<ProxyResponse>,
  ) => void;
  /** From now on the API cannot be reached: every connection breaks. */
  cut: () => void;
  /** Forgets all responses of the test, and lets the API be reached again. */
  reset: () => void;
  close: () => Promise<void>;
};

type Rule = Parameters<ApiProxy['respondTo']>;

/**
 * Produces, over real HTTP, responses that the API gives only after days, under load or when
 * broken.
 * @param apiOrigin where the API is, once it is known
 */
export async function startApiProxy(apiOrigin: () => string): Promise<ApiProxy> {
  const rules: Rule[] = [];
  let isCut = false;
  const agent = new Agent({ keepAlive: true });

  const server = createServer((incoming, response) => {
    const { method, url = '/' } = incoming;
    const rule = rules.find(([asked, pattern]) => asked === method && pattern.test(url));
    if (isCut) incoming.socket.destroy();
    else if (rule) respondBy(rule, incoming, response).catch(() => response.destroy());
    else passOn(incoming, response);
  });

  async function respondBy(
    [, , respond]: Rule,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming;
    const text = await readText(incoming);
    const { status, body, headers } = await respond({
      method,
      path,
      body: text === '' ? undefined : JSON.parse(text),
      pass: () => askApi(apiOrigin() + path, incoming, text),
    });
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  function passOn(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/', headers } = incoming;
    const call = ask(apiOrigin() + url, {
      method,
      agent,
      headers: without(ownToAConnection, headers),
    });
    call.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, without(ownToAConnection, received.headers));
      received.on('error', () => response.destroy()).pipe(response);
    });
    call.on('error', () => response.destroy());
    response.on('close', () => call.destroy());
    incoming.pipe(call);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    respondTo: (...rule) => void rules.unshift(rule),
    cut: () => {
      isCut = true;
    },
    reset: () => {
      isCut = false;
      rules.splice(0);
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function askApi(
  url: string,
  incoming: IncomingMessage,
  text: string,
): Promise<ProxyResponse> {
  const { method = 'GET', headers } = incoming;
  const kept = without([...ownToAConnection, ...ownToABody], headers);
  const sent = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]);
  const response = await fetch(url, {
    method,
    headers: sent,
    ...(text === '' ? {} : { body: text }),
  });
  const body = await response.text();
  const told = ['x-request-id', 'retry-after'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const read = {
    status: response.status,
    headers: Object.fromEntries(told) as Record<string, string>,
  };
  return { ...read, ...(body === '' ? {} : { body: JSON.parse(body) as unknown }) };
}

const ownToAConnection = ['host', 'connection', 'keep-alive'];
const ownToABody = ['content-length', 'transfer-encoding'];

function without(names: readonly string[], headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
