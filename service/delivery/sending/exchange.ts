import { errors, type Dispatcher } from 'undici';
import type { AttemptResult } from './attempt.ts';
import {
  AttemptTimeoutError,
  FloodError,
  ReceivedTooMuchError,
  type Phase,
} from './failures/failures.ts';
import { BodyReader, type BodyLimits } from './read-body.ts';

type ExchangeOptions = {
  connectTimeoutMs: number;
  timeoutMs: number;
  bodyLimits: BodyLimits;
};

/** The result of an exchange: the response, as far as it arrived, and the failure. */
type Exchanged = Pick<AttemptResult, 'firstByteMs' | 'response'> & { failure: unknown };

/**
 * Sends one POST and reads its response. One time limit covers connecting, waiting and reading.
 * Redirects are not followed but treated like any response. Never rejects.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: { path: string; headers: Record<string, string>; body: string },
  options: ExchangeOptions,
): Promise<Exchanged> {
  return await new Promise((resolve) => {
    const handler = new ExchangeHandler(options, resolve);
    dispatcher.dispatch({ ...request, method: 'POST' }, handler);
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #bodyLimits: BodyLimits;
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  /** undici's own connect timer can be up to a second late; that one then closes the socket. */
  readonly #connectTimer: NodeJS.Timeout;
  #phase: Phase = 'connecting';
  #hasEnded = false;
  #controller: Dispatcher.DispatchController | null = null;
  #firstByteMs: number | null = null;
  readonly #interim = new InterimResponses();
  #head: { statusCode: number; headers: ReceivedHeaders } | null = null;
  #body: BodyReader | null = null;

  constructor(options: ExchangeOptions, resolve: (exchanged: Exchanged) => void) {
    this.#bodyLimits = options.bodyLimits;
    this.#resolve = resolve;
    const endLate = () => this.#end(new AttemptTimeoutError(this.#phase));
    this.#timer = setTimeout(endLate, options.timeoutMs);
    this.#connectTimer = setTimeout(endLate, options.connectTimeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time was up before there was a connection, so nothing is sent.
    if (this.#hasEnded) controller.abort(new AttemptTimeoutError('connecting'));
    clearTimeout(this.#connectTimer);
    this.#controller = controller;
    this.#phase = 'waiting';
  }

  onResponseStarted(): void {
    this.#firstByteMs ??= Math.round(performance.now() - this.#began);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: ReceivedHeaders,
  ): void {
    // A 1xx response is interim: the final response follows.
    if (statusCode < 200) {
      if (!this.#interim.add(headers)) this.#end(new FloodError('interim_responses'));
      return;
    }
    this.#phase = 'reading';
    this.#head = { statusCode, headers };
    const encoding = headers['content-encoding'];
    this.#body = new BodyReader(String(encoding ?? ''), this.#bodyLimits, (failure) =>
      this.#end(failure),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const proceed = this.#body?.write(chunk, () => controller.resume());
    if (proceed === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#floodBehind(error) ?? error);
  }

  /** If a receive limit was exceeded: what the receiver sent too much of, from the phase. */
  #floodBehind(cause: Error): FloodError | null {
    if (this.#phase === 'reading' && cause instanceof errors.HeadersOverflowError) {
      return new FloodError('trailers', { cause });
    }
    if (!(cause instanceof ReceivedTooMuchError)) return null;
    const beforeHead = this.#interim.any ? 'interim_responses' : 'head';
    const floods = {
      connecting: 'handshakes',
      waiting: beforeHead,
      reading: 'around_body',
    } as const;
    return new FloodError(floods[this.#phase], { cause });
  }

  #end(failure: Error | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#connectTimer);
    this.#body?.stop();
    if (failure) this.#controller?.abort(failure);
    this.#resolve({
      firstByteMs: this.#firstByteMs,
      response: this.#response(),
      failure,
    });
  }

  #response(): AttemptResult['response'] {
    if (this.#head === null || this.#body === null) return null;
    const { statusCode, headers } = this.#head;
    return { statusCode, headers: keptHeaders(headers), ...this.#body.text() };
  }
}

const maxResponses = 16;
const maxHeaderBytes = 65_536;

/** Counts the interim responses (1xx), of which HTTP allows any number (RFC 9110, 15.2). */
class InterimResponses {
  #count = 0;
  #headerBytes = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** Counts an interim response; returns false if a limit is exceeded. */
  add(headers: ReceivedHeaders): boolean {
    this.#count += 1;
    for (const [name, value] of Object.entries(headers)) {
      this.#headerBytes += name.length + String(value).length;
    }
    return this.#count <= maxResponses && this.#headerBytes <= maxHeaderBytes;
  }
}

const maxCharactersEach = 512;

/**
 * Headers that help to find out why a delivery failed. Any other header may contain a secret of the
 * receiver: a cookie, a credential, or a key under a name that we cannot know.
 */
const keptNames = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'retry-after',
  'location',
  // IDs by which the receiver, or a proxy in front of it, finds the request in its log.
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-azure-ref',
  'x-vercel-id',
  'cf-ray',
  'fly-request-id',
];

/** Headers by lower-case name; a header that was sent several times has several values. */
type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a response that are stored: those in `keptNames`, each limited in length. */
function keptHeaders(headers: ReceivedHeaders): Record<string, string> {
  const present = keptNames.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, textOf(headers[name])]));
}

function textOf(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return text.replaceAll('\0', '').slice(0, maxCharactersEach);
}
