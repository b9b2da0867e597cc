import { ServerResponse } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';

/**
 * A response that adds further headers to those passed to `writeHead`. If they were set before,
 * Node would check and copy all the others one by one.
 */
export class ResponseWithHeaders extends ServerResponse {
  #added: Record<string, string> | null = null;

  /** Only for responses that pass all their headers to `writeHead`, as one object. */
  addHeaders(headers: Record<string, string>): void {
    this.#added = headers;
  }

  override writeHead(...[status, ...others]: HeadArguments): this {
    if (this.#added === null) return super.writeHead(status, ...(others as []));
    return super.writeHead(status, { ...this.#added, ...(others[0] as OutgoingHttpHeaders) });
  }
}

type HeadArguments = [status: number, ...others: unknown[]];
