import { randomUUID } from 'node:crypto';
import type { Context as HonoContext } from 'hono';
import type { Origin } from '../domain/actor.ts';
import { redactSecrets, redactTokens } from '../log/redact.ts';
import { clientAddressHeader } from './listener/client/client-address.ts';

/**
 * One request to the API: its content, what the checks found out about it, and the headers of its
 * response. The headers are collected in a plain object, because `Headers` validates, sorts and
 * copies them several times on the way to the socket.
 */
export class Call {
  readonly requestId: string;
  origin: Origin;
  /** Who called, for the log; null before authentication and for calls without a credential. */
  caller: { accountId: string | null; name: string } | null = null;
  /**
   * The key whose token the request has, valid or not; null for a person and for an unknown token.
   * `problem`: why none of its calls is accepted. `detail`: the last four characters of a token that
   * is not accepted.
   */
  key: {
    accountId: string;
    apiKeyId: number;
    tokenId: number;
    problem: 'token_ended' | 'key_paused' | 'network' | null;
    detail: string;
  } | null = null;
  readonly #http: HonoContext;
  readonly #headers: Record<string, string>;

  /** Keeps the client's `X-Request-Id` if it is a plain word, and neither token nor secret. */
  constructor(http: HonoContext) {
    this.#http = http;
    const given = this.header('X-Request-Id');
    this.requestId = given && isAcceptable(given) ? given : randomUUID();
    this.origin = {
      ip: this.header(clientAddressHeader) ?? '0.0.0.0',
      userAgent: storedUserAgent(this.header('User-Agent')),
      requestId: this.requestId,
    };
    this.#headers = { 'X-Request-Id': this.requestId, 'Cache-Control': 'no-store' };
  }

  get method(): string {
    return this.#http.req.method;
  }

  get path(): string {
    return this.#http.req.path;
  }

  /** The original request, for its body. */
  get request(): Request {
    return this.#http.req.raw;
  }

  /** The path parameters. */
  get params(): Record<string, string> {
    return this.#http.req.param();
  }

  /** The query parameters. If a parameter is given twice, the first one counts. */
  get query(): Record<string, string> {
    const { req } = this.#http;
    return req.url.includes('?') ? req.query() : {};
  }

  /** A header of the request. */
  header(name: string): string | undefined {
    return this.#http.req.header(name);
  }

  /** Sets a header of the response. Always use the same spelling for a name, including case. */
  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  respondWithJson(status: number, body: unknown): Response {
    this.setHeader('Content-Type', 'application/json');
    return this.respond(status, JSON.stringify(body));
  }

  respond(status: number, body: BodyInit | null): Response {
    return new Response(body, { status, headers: this.#headers });
  }
}

/** Cut, and without the tokens and secrets that a client has put into it by mistake. */
export function storedUserAgent(header: string | undefined): string | null {
  return header === undefined ? null : redactTokens(header.slice(0, 512));
}

const acceptableId = /^[A-Za-z0-9_-]{1,64}$/;

function isAcceptable(id: string): boolean {
  return acceptableId.test(id) && redactSecrets(id) === id;
}
