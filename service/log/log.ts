import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';
import { redactedPaths, redactSecrets } from './redact.ts';

export type Logger = PinoLogger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output; readable ones where a person is watching. */
export function createLogger(options: {
  level: LogLevel;
  isPretty: boolean;
  destination?: DestinationStream;
}): Logger {
  const destination =
    options.destination ??
    (options.isPretty
      ? pretty({
          sync: true,
          singleLine: true,
          ignore: 'pid,hostname',
          translateTime: 'SYS:HH:MM:ss',
        })
      : openLogDestination());
  return pino(
    {
      level: options.level,
      serializers: { err: describe },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      hooks: { streamWrite: redactSecrets },
    },
    destination,
  );
}

/** How many bytes are kept for later while nothing can be written. */
const mostKept = 1024 * 1024;

/**
 * Standard output, or a file. Where it cannot be written to, as on a full disk, lines are buffered
 * for a while, then dropped: a service must not end because of its log.
 */
export function openLogDestination(dest: string | number = 1): DestinationStream {
  const destination = pino.destination({ dest, sync: true, maxLength: mostKept });
  destination.on('error', () => undefined);
  return destination;
}

type ErrorDescription = {
  type: string;
  message: string;
  stack: string | undefined;
  code?: string;
  /** By what a page of the dashboard that failed names the error to the person. */
  digest?: string;
  cause?: ErrorDescription;
};

/**
 * What of an error is written, by an allow-list: those of database drivers also carry the
 * statement's parameters, among them session tokens and e-mail addresses, as fields and as text.
 */
function describeError(error: Error): ErrorDescription {
  return {
    type: error.constructor.name,
    message: withoutParameters(error.message),
    stack: error.stack && withoutParameters(error.stack),
    ...('code' in error && { code: String(error.code) }),
    ...('digest' in error && { digest: String(error.digest) }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

function describe(value: unknown): unknown {
  return value instanceof Error ? describeError(value) : value;
}

function withoutParameters(text: string): string {
  return text.replace(/\nparams: .*?(?=\n {4}at |$)/s, '');
}
