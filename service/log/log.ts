import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';

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

/** Names under which a secret may be logged by mistake, at the top and one and two levels down. */
const redactedPaths = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-dashboard-session',
  'device_token',
  'password',
  'secret',
  'secretKey',
  'token',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** The second net: whatever the field is called, a token or signing secret never leaves whole. */
function redactSecrets(line: string): string {
  return line
    .replace(/sk_live_[0-9A-Za-z]+/g, 'sk_live_[redacted]')
    .replace(/whsec_[0-9A-Za-z+/=]+/g, 'whsec_[redacted]');
}
