import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { FloodError, InvalidBodyError, ResponseTooLargeError } from './failures/failures.ts';

export type BodyLimits = {
  /** How many decoded bytes are read. A longer body ends the response. */
  readBytes: number;
  keptBytes: number;
  /** In how many pieces the body may come: a small piece costs as much as a large one. */
  pieces: number;
};

export const defaultBodyLimits: BodyLimits = { readBytes: 65_536, keptBytes: 4096, pieces: 2048 };

/** An encoded body can be endless and still decode to nothing. */
function maxEncodedBytes({ readBytes }: BodyLimits): number {
  return readBytes * 2;
}

const maxAroundBodyBytes = 131_072;

/** The most bytes received for one response, including its headers and everything around chunks. */
export function maxReceivedBytes(limits: BodyLimits): number {
  return maxEncodedBytes(limits) + maxAroundBodyBytes;
}

/**
 * Reads and decodes a response's body as it arrives, and keeps its beginning. Memory is bounded
 * whatever is sent: a decoder works in small steps, and takes no further step beyond the limit.
 */
export class BodyReader {
  readonly #encoding: string;
  readonly #limits: BodyLimits;
  readonly #onEnd: (failure: Error | null) => void;
  readonly #kept: Buffer[] = [];
  #decoder: Transform | null = null;
  #pieces = 0;
  #receivedBytes = 0;
  #readBytes = 0;
  #isOverrun = false;
  /** Whether everything of the body has arrived, and whether the decoder has come to its end. */
  #hasArrived = false;
  #isDecoded = false;

  /** @param onEnd called with null when the body is complete, or with the error */
  constructor(contentEncoding: string, limits: BodyLimits, onEnd: (failure: Error | null) => void) {
    this.#encoding = contentEncoding.trim().toLowerCase();
    this.#limits = limits;
    this.#onEnd = onEnd;
  }

  /** Takes a received chunk. If it returns false, no more chunks may be written until `onDrain`. */
  write(chunk: Buffer, onDrain: () => void): boolean {
    this.#pieces += 1;
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > maxEncodedBytes(this.#limits)) {
      this.#overrun(new ResponseTooLargeError(this.#limits.readBytes));
      return true;
    }
    if (this.#pieces > this.#limits.pieces) {
      this.#overrun(new FloodError('body_pieces'));
      return true;
    }
    // What follows the compressed part is ignored, but is still a part of the response.
    if (this.#isDecoded) return true;
    this.#decoder ??= this.#makeDecoder(chunk);
    if (this.#decoder === null) {
      this.#collect(chunk);
      return true;
    }
    if (this.#decoder.destroyed || this.#decoder.write(chunk)) return true;
    this.#decoder.once('drain', onDrain);
    return false;
  }

  end(): void {
    this.#hasArrived = true;
    if (this.#decoder && !this.#isDecoded) this.#decoder.end();
    else this.#onEnd(null);
  }

  stop(): void {
    this.#decoder?.destroy();
  }

  /** The beginning of the body, as text that can be stored in the database. */
  text(): { body: string; isTruncated: boolean } {
    if (this.#readBytes === 0) return { body: '', isTruncated: this.#isOverrun };
    const bytes = Buffer.concat(this.#kept);
    const isCut = this.#readBytes > bytes.length;
    const whole = decode(bytes, isCut).replaceAll('\0', '');
    const replaced = Buffer.from(whole);
    const isLonger = replaced.length > this.#limits.keptBytes;
    return {
      body: isLonger ? decode(replaced.subarray(0, this.#limits.keptBytes), true) : whole,
      isTruncated: isCut || isLonger || this.#isOverrun,
    };
  }

  #makeDecoder(firstChunk: Buffer): Transform | null {
    const decoder = decoders.get(this.#encoding)?.(firstChunk) ?? null;
    decoder
      ?.on('data', (chunk: Buffer) => this.#collect(chunk))
      .once('end', () => this.#endDecoding())
      .once('error', (cause) => this.#onEnd(new InvalidBodyError(this.#encoding, { cause })));
    return decoder;
  }

  /**
   * A decoder can come to its end before the body does. The response then goes on, and so does the
   * attempt: if it ended here, the receiver could keep its connection open without end.
   */
  #endDecoding(): void {
    this.#isDecoded = true;
    if (this.#hasArrived) this.#onEnd(null);
  }

  #collect(chunk: Buffer): void {
    const wanted = this.#limits.keptBytes - Math.min(this.#readBytes, this.#limits.keptBytes);
    if (wanted > 0) this.#kept.push(Buffer.from(chunk.subarray(0, wanted)));
    this.#readBytes += chunk.length;
    if (this.#readBytes > this.#limits.readBytes) {
      this.#overrun(new ResponseTooLargeError(this.#limits.readBytes));
    }
  }

  #overrun(failure: Error): void {
    this.#isOverrun = true;
    this.stop();
    this.#onEnd(failure);
  }
}

/**
 * Decoders with little memory: windows of at most 16 MiB for Brotli and 8 MiB for Zstandard (RFC
 * 9659). They are in a map, because the receiver chooses the name, and an object would also have
 * `constructor`.
 */
const decoders = new Map<string, (firstChunk: Buffer) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
  // RFC 9110 requires the zlib format, but some servers send raw deflate.
  ['deflate', ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

/** Decodes UTF-8, replacing invalid bytes. A cut text loses its incomplete last character. */
function decode(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}
