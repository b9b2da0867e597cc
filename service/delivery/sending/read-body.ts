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
  /** How much is read, decoded: what is beyond ends the response. */
  readBytes: number;
  /** How much is kept as text. */
  keptBytes: number;
  /** In how many pieces it may come: each costs as much as a large one, and more to a decoder. */
  pieces: number;
};

export const defaultBodyLimits: BodyLimits = { readBytes: 65_536, keptBytes: 4096, pieces: 2048 };

/** Encoded, a body can be endless and still decode to nothing. */
function maxEncodedBytes({ readBytes }: BodyLimits): number {
  return readBytes * 2;
}

const maxAroundBodyBytes = 131_072;

/** How much is received for one response in all: with its head, and with what stands around chunks. */
export function maxReceivedBytes(limits: BodyLimits): number {
  return maxEncodedBytes(limits) + maxAroundBodyBytes;
}

/**
 * Reads a response's body as it comes, decoding it, and keeps its beginning. Memory is bounded
 * whatever is sent: a decoder works in small steps and is asked for no further one beyond the limit.
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

  /** @param onEnd called with null when the body is complete, or with the error */
  constructor(contentEncoding: string, limits: BodyLimits, onEnd: (failure: Error | null) => void) {
    this.#encoding = contentEncoding.trim().toLowerCase();
    this.#limits = limits;
    this.#onEnd = onEnd;
  }

  /** Takes what was received; false if no more should come until `onDrain`. */
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
    this.#decoder ??= this.#makeDecoder(chunk);
    if (this.#decoder === null) {
      this.#collect(chunk);
      return true;
    }
    if (this.#decoder.destroyed || this.#decoder.write(chunk)) return true;
    this.#decoder.once('drain', onDrain);
    return false;
  }

  /** Says that nothing more comes. */
  end(): void {
    if (this.#decoder) this.#decoder.end();
    else this.#onEnd(null);
  }

  /** Gives up what is not read yet. */
  stop(): void {
    this.#decoder?.destroy();
  }

  /** The beginning of the body, as text that a database takes. */
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
    const decoder = decoders[this.#encoding]?.(firstChunk) ?? null;
    decoder
      ?.on('data', (chunk: Buffer) => this.#collect(chunk))
      .once('end', () => this.#onEnd(null))
      .once('error', (cause) => this.#onEnd(new InvalidBodyError(this.#encoding, { cause })));
    return decoder;
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

/** Each keeps to little memory: windows of 16 MiB at most for Brotli, 8 MiB for Zstandard (RFC 9659). */
const decoders: Record<string, (firstChunk: Buffer) => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  // RFC 9110 means the zlib format; some servers send the bare one.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** UTF-8 with every wrong byte replaced; of a cut text, without the character that was cut. */
function decode(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}
