/** The phase an attempt was in when its time was up. */
export type Phase = 'connecting' | 'waiting' | 'reading';

/** The whole attempt took too long. */
export class AttemptTimeoutError extends Error {
  override readonly name = 'AttemptTimeoutError';
  readonly phase: Phase;

  constructor(phase: Phase) {
    super(`The time was up while ${phase}.`);
    this.phase = phase;
  }
}

export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The response is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}

/** The body is not in the encoding that the `Content-Encoding` header names. */
export class InvalidBodyError extends Error {
  override readonly name = 'InvalidBodyError';
  readonly encoding: string;

  constructor(encoding: string, options?: ErrorOptions) {
    super(`The response's body is not valid ${encoding}.`, options);
    this.encoding = encoding;
  }
}

/** A connection received more bytes than any response needs. */
export class ReceivedTooMuchError extends Error {
  override readonly name = 'ReceivedTooMuchError';
  /** undici treats this as a failure of one connection: waiting requests use another. */
  readonly code = 'UND_ERR_SOCKET';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`More than ${limitBytes} bytes came for one request.`);
    this.limitBytes = limitBytes;
  }
}

/** Parts that a receiver can send without end while its response makes no progress. */
export type Flood =
  | 'handshakes'
  | 'interim_responses'
  | 'head'
  | 'around_body'
  | 'body_pieces'
  | 'trailers';

/** The receiver sent so much that reading on would cost more than the response is worth. */
export class FloodError extends Error {
  override readonly name = 'FloodError';
  readonly flood: Flood;

  constructor(flood: Flood, options?: ErrorOptions) {
    super(`The receiver sent too much: ${flood}.`, options);
    this.flood = flood;
  }
}
