import { randomUUID } from 'node:crypto';
import type { Context as HonoContext } from 'hono';
import type { Origin } from '../domain/actor.ts';
import { redactSecrets } from '../log/redact.ts';
import { clientAddressHeader } from './listener/client/client-address.ts';

/**
 * One request to the API: what it says, what the checks found out about it, and the headers of its
 * answer. They are collected in a plain object, because `Headers` validates, sorts and copies them
 * several times on the way to the socket, which took longer than all checks together.
 */
export class Call {
  readonly requestId: string;
  origin: Origin;
  /**
   * The authenticated caller, for the log; null before authentication and for calls without one.
   */
  caller: { accountId: string | null; name: string } | null = null;
  readonly #http: HonoContext;
  readonly #headers: Record<string, string>;

  /** A client's own `X-Request-Id` is kept if it is a plain word, and no token or secret. */
  constructor(http: HonoContext) {
    this.#http = http;
    const given = this.header('X-Request-Id');
    this.requestId = given && isAcceptable(given) ? given : randomUUID();
    this.origin = {
      ip: this.header(clientAddressHeader) ?? '0.0.0.0',
      userAgent: this.header('User-Agent')?.slice(0, 512) ?? null,
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

  /** The request as it came, for its body. */
  get request(): Request {
    return this.#http.req.raw;
  }

  /** What stands at the named places of the path. */
  get params(): Record<string, string> {
    return this.#http.req.param();
  }

  /** Of a parameter given twice the first counts. */
  get query(): Record<string, string> {
    const { req } = this.#http;
    return req.url.includes('?') ? req.query() : {};
  }

  /** A header of the request. */
  header(name: string): string | undefined {
    return this.#http.req.header(name);
  }

  /** Sets a header of the answer. Each is written the same way everywhere, case included. */
  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  respondWithJson(status: number, body: unknown): Response {
    this.setHeader('Content-Type', 'application/json');
    return this.answer(status, JSON.stringify(body));
  }

  answer(status: number, body: BodyInit | null): Response {
    return new Response(body, { status, headers: this.#headers });
  }
}

const acceptableId = /^[A-Za-z0-9_-]{1,64}$/;

function isAcceptable(id: string): boolean {
  return acceptableId.test(id) && redactSecrets(id) === id;
}
