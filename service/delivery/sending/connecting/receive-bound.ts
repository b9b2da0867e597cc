import type { Socket } from 'node:net';
import { errors } from 'undici';
import { ReceivedTooMuchError } from '../failures/failures.ts';

/** How much the HTTP parser is given at a time. */
const pieceBytes = 4096;
const lookEveryMs = 250;

/**
 * Bounds what a connection may receive for each request sent on it, counted on the wire: whatever an
 * HTTP or TLS parser skips without a word counts too (interim responses, reason phrases, chunk
 * extensions, padding, handshakes). What comes between two answers counts as the earlier one's.
 * Beyond the bound the connection is destroyed.
 */
export class ReceiveBound {
  readonly #wire: Socket;
  readonly #maxBytes: number;
  readonly #timer: NodeJS.Timeout;
  /** What HTTP is read from: the wire itself, or TLS on it. */
  #carrier: Socket;
  /** Bytes of requests written so far; when it grows, another request has begun. */
  #writtenBytes = 0;
  /** Bytes received when the latest request began, and when this last looked. */
  #beforeBytes = 0;
  #seenBytes = 0;
  #failure: ReceivedTooMuchError | null = null;

  constructor(wire: Socket, maxBytes: number) {
    this.#wire = wire;
    this.#carrier = wire;
    this.#maxBytes = maxBytes;
    // No other event reports bytes that TLS consumes without passing data on.
    this.#timer = setInterval(() => this.#isBroken(), lookEveryMs).unref();
    wire.once('close', () => clearInterval(this.#timer));
  }

  /** Why the connection was destroyed; null if it was not, or for another reason. */
  get failure(): ReceivedTooMuchError | null {
    return this.#failure;
  }

  /**
   * Watches what is read from `carrier` from now on. It hands out a little at a time, and nothing once
   * it is given up: undici would go on through all that has come, and make an error for each header
   * that is one too many.
   */
  watch(carrier: Socket): void {
    this.#carrier = carrier;
    const read = carrier.read.bind(carrier);
    carrier.read = (size?: number): unknown => {
      const waitingBytes = carrier.readableLength;
      if (waitingBytes === 0) return read(size);
      const isGivenUp = carrier.errored instanceof errors.HeadersOverflowError;
      if (isGivenUp || this.#isBroken()) return null;
      return read(size ?? Math.min(waitingBytes, pieceBytes));
    };
  }

  #isBroken(): boolean {
    const { bytesWritten, readableLength } = this.#carrier;
    if (bytesWritten !== this.#writtenBytes) {
      this.#writtenBytes = bytesWritten;
      this.#beforeBytes = this.#seenBytes;
    }
    // What waits to be read costs nothing yet, and is bounded.
    this.#seenBytes = this.#wire.bytesRead - readableLength;
    if (this.#seenBytes - this.#beforeBytes <= this.#maxBytes) return false;
    this.#failure ??= new ReceivedTooMuchError(this.#maxBytes);
    this.#carrier.destroy(this.#failure);
    return true;
  }
}
