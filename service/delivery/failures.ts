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

/** The response goes on beyond what is read of one. */
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
