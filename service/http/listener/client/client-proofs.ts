import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { clientAddressHeader } from './client-address.ts';

export const clientProofHeader = 'x-client-address-proof';

/**
 * Proves that a client address was found out by this listener. Next sends an action that its page does
 * not hold on to another page, by a request to this listener with the headers of the first. That one
 * comes from this machine: without a proof every client could have its actions counted and recorded
 * under the address of the machine, by posting them to a page that does not hold them.
 *
 * A proof is for one address, so it lets nobody take another's.
 */
export class ClientProofs {
  readonly #key = randomBytes(32);

  of(address: string): string {
    return this.#digest(address).toString('base64url');
  }

  /** The client address that these headers prove; null if they prove none. */
  addressIn(headers: IncomingHttpHeaders): string | null {
    const address = headers[clientAddressHeader];
    const proof = headers[clientProofHeader];
    if (typeof address !== 'string' || typeof proof !== 'string') return null;
    const given = Buffer.from(proof, 'base64url');
    const right = this.#digest(address);
    return given.length === right.length && timingSafeEqual(given, right) ? address : null;
  }

  #digest(address: string): Buffer {
    return createHmac('sha256', this.#key).update(address).digest();
  }
}
