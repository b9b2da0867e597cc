import type { Socket } from 'node:net';
import { errors } from 'undici';
import { ReceivedTooMuchError } from '../failures/failures.ts';
import { ContinueResponses } from './continue-responses.ts';

/** How many bytes the HTTP parser gets at a time. */
const pieceBytes = 4096;
const lookEveryMs = 250;

/**
 * Limits how many bytes a connection may receive for each request sent on it. The bytes are counted
 * on the wire, so that whatever an HTTP or TLS parser skips silently counts too: interim responses,
 * reason phrases, chunk extensions, padding, handshakes. Bytes between two responses count towards
 * the earlier one. Beyond the limit the connection is destroyed.
 */
export class ReceivedBytesLimit {
  readonly #wire: Socket;
  readonly #maxBytes: number;
  readonly #timer: NodeJS.Timeout;
  /** The socket that HTTP is read from: the TCP socket, or TLS on top of it. */
  #carrier: Socket;
  /** Bytes of requests written so far. An increase means that another request has begun. */
  #writtenBytes = 0;
  /** Bytes received when the latest request began, and at the latest check. */
  #beforeBytes = 0;
  #seenBytes = 0;
  #failure: ReceivedTooMuchError | null = null;
  readonly #continueResponses = new ContinueResponses();

  constructor(wire: Socket, maxBytes: number) {
    this.#wire = wire;
    this.#carrier = wire;
    this.#maxBytes = maxBytes;
    // No other event reports bytes that TLS consumes without passing data on.
    this.#timer = setInterval(() => this.#isBroken(), lookEveryMs).unref();
    wire.once('close', () => clearInterval(this.#timer));
  }

  /** Why the limit destroyed the connection; null if it did not. */
  get failure(): ReceivedTooMuchError | null {
    return this.#failure;
  }

  /**
   * Watches everything that is read from `carrier` from now on. It hands out a little at a time,
   * and nothing once the connection is given up: otherwise undici would continue through all the
   * data that has arrived, and create an error for each header beyond the limit. What it hands out
   * has no 100 Continue.
   */
  watch(carrier: Socket): void {
    this.#carrier = carrier;
    const read = carrier.read.bind(carrier);
    carrier.read = (size?: number): unknown => {
      const waitingBytes = carrier.readableLength;
      if (waitingBytes === 0) return read(size);
      const isGivenUp = carrier.errored instanceof errors.HeadersOverflowError;
      if (isGivenUp || this.#isBroken()) return null;
      const piece: unknown = read(size ?? Math.min(waitingBytes, pieceBytes));
      if (piece instanceof Buffer) this.#continueResponses.rename(piece);
      return piece;
    };
  }

  #isBroken(): boolean {
    const { bytesWritten, readableLength } = this.#carrier;
    if (bytesWritten !== this.#writtenBytes) {
      this.#writtenBytes = bytesWritten;
      this.#beforeBytes = this.#seenBytes;
      this.#continueResponses.begin();
    }
    // Bytes that wait to be read cost nothing yet, and their number is bounded.
    this.#seenBytes = this.#wire.bytesRead - readableLength;
    if (this.#seenBytes - this.#beforeBytes <= this.#maxBytes) return false;
    this.#failure ??= new ReceivedTooMuchError(this.#maxBytes);
    this.#carrier.destroy(this.#failure);
    return true;
  }
}
