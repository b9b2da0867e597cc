import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import { clientAddressHeader } from './client-address.ts';

export const addressSignatureHeader = 'x-client-address-signature';

/**
 * Signs the client addresses that this listener determined, with a random key of its own. If the
 * requested page does not contain a server action, Next forwards the action to another page: it
 * sends a request to this listener with the headers of the first one. That request comes from this
 * machine. Without a signature, clients could have their actions counted and recorded under the
 * address of this machine.
 */
export class AddressSigner {
  readonly #key = randomBytes(32);

  sign(address: string): string {
    return this.#digest(address).toString('base64url');
  }

  /** The client address in these headers; null unless its signature is valid. */
  verifiedAddress(headers: IncomingHttpHeaders): string | null {
    const address = headers[clientAddressHeader];
    const signature = headers[addressSignatureHeader];
    if (typeof address !== 'string' || typeof signature !== 'string') return null;
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#digest(address);
    return areEqualInConstantTime(given, expected) ? address : null;
  }

  #digest(address: string): Buffer {
    return createHmac('sha256', this.#key).update(address).digest();
  }
}
