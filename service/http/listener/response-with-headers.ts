import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';

/**
 * A response that adds further headers to those passed to `writeHead`. If they were set before,
 * Node would check and copy all the others one by one.
 */
export class ResponseWithHeaders<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  #added: Record<string, string> | null = null;
  #isNeverCached = false;

  /** Only for responses that pass all their headers to `writeHead`, as one object. */
  addHeaders(headers: Record<string, string>): void {
    this.#added = headers;
  }

  /** Next marks pages that it rendered at build time as cacheable; this overrides it. */
  preventCaching(): void {
    this.#isNeverCached = true;
  }

  override writeHead(status: number, ...[reason, headers]: HeadArguments): this {
    if (this.#isNeverCached) this.setHeader('Cache-Control', 'no-store');
    const given = this.#withOurs(typeof reason === 'string' ? headers : (headers ?? reason));
    return typeof reason === 'string'
      ? super.writeHead(status, reason, given)
      : super.writeHead(status, given);
  }

  /** Headers passed to `writeHead` would override those that were set before. */
  #withOurs(given: GivenHeaders | undefined): GivenHeaders | undefined {
    if (Array.isArray(given)) return given;
    if (this.#added !== null) return { ...this.#added, ...given };
    return this.#isNeverCached && given ? withoutCacheControl(given) : given;
  }
}

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];
/** With or without the reason phrase of the status. */
type HeadArguments =
  | [reason?: string | undefined, headers?: GivenHeaders | undefined]
  | [headers?: GivenHeaders | undefined];

function withoutCacheControl(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'cache-control'));
}

/** The headers of every response; HSTS if `publicUrl` is https. */
export function securityHeaders(publicUrl: URL): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Pages replace this with their own policy, which includes it.
    'Content-Security-Policy': "frame-ancestors 'none'",
    ...(publicUrl.protocol === 'https:' && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}
