import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** What is answered, by the API or in its place. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

export type Call = {
  method: string;
  path: string;
  /** What was sent, parsed. */
  body: unknown;
  /** Asks the API after all. */
  pass: () => Promise<Reply>;
};

/** A server between the dashboard and the API. It passes all on, but for what a test answers itself. */
export type Between = {
  origin: string;
  /** From now on calls of this method whose path matches are answered by the test. */
  answer: (method: string, path: RegExp, respond: (call: Call) => Reply | Promise<Reply>) => void;
  /** Forgets all that was to be answered. */
  reset: () => void;
  close: () => Promise<void>;
};

type Rule = Parameters<Between['answer']>;

/** Brings about, over real HTTP, what the API answers only after days, under load or when broken. */
export async function startBetween(apiOrigin: string): Promise<Between> {
  const rules: Rule[] = [];
  const server = createServer((request, response) => {
    void reply(request, response);
  });
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await respond(request, { apiOrigin, rules });
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    answer: (...rule) => void rules.unshift(rule),
    reset: () => void rules.splice(0),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Behind = { apiOrigin: string; rules: readonly Rule[] };

async function respond(request: IncomingMessage, { apiOrigin, rules }: Behind): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const pass = async () =>
    await ask(apiOrigin + path, {
      method,
      headers: passedOn(request.headers),
      ...(text === '' ? {} : { body: text }),
    });
  const rule = rules.find(([asked, pattern]) => asked === method && pattern.test(path));
  if (!rule) return await pass();
  return await rule[2]({ method, path, body: text === '' ? undefined : JSON.parse(text), pass });
}

async function ask(url: string, init: RequestInit): Promise<Reply> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const headers = Object.fromEntries(
    ['x-request-id', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: answer.status, headers, ...(text === '' ? {} : { body: JSON.parse(text) }) };
}

const ownToAConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function passedOn(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    ownToAConnection.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
}
