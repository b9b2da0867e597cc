/** What an attempt was at when its time was up. */
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

/** The response is longer than what is read of one. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The response is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}

/** The body is not in the encoding that its header names. */
export class InvalidBodyError extends Error {
  override readonly name = 'InvalidBodyError';
  readonly encoding: string;

  constructor(encoding: string, options?: ErrorOptions) {
    super(`The response's body is not valid ${encoding}.`, options);
    this.encoding = encoding;
  }
}

/** More came on a connection than any response needs. */
export class ReceivedTooMuchError extends Error {
  override readonly name = 'ReceivedTooMuchError';
  /** To undici, a failure of this connection alone: what waits behind it goes over another. */
  readonly code = 'UND_ERR_SOCKET';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`More than ${limitBytes} bytes came for one request.`);
    this.limitBytes = limitBytes;
  }
}

/** What a receiver may send without end though its response gets no further. */
export type Flood =
  | 'handshakes'
  | 'interim_responses'
  | 'head'
  | 'around_body'
  | 'body_pieces'
  | 'trailers';

/** The receiver sent so much of something that reading on would cost more than a response is worth. */
export class FloodError extends Error {
  override readonly name = 'FloodError';
  readonly flood: Flood;

  constructor(flood: Flood, options?: ErrorOptions) {
    super(`The receiver sent too much: ${flood}.`, options);
    this.flood = flood;
  }
}
