import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';
import { redactedPaths, redactSecrets } from './redact.ts';

export type Logger = PinoLogger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Writes JSON lines to standard output, or readable lines where a person is watching. */
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
  const log = pino(
    {
      level: options.level,
      serializers: { err: describeIfError },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      hooks: {
        streamWrite: redactSecrets,
        logMethod(args, method, level) {
          method.apply(this, args);
          // Warnings and errors must be written even if the process is killed a moment later.
          if (level >= warnLevel) flush(destination);
        },
      },
    },
    destination,
  );
  destinations.set(log, destination);
  return log;
}

const destinations = new WeakMap<Logger, DestinationStream>();

/** Writes an entry that another process created with `createLogger`. */
export function writeLogLine(log: Logger, line: string): void {
  destinations.get(log)?.write(line);
}

const warnLevel = 40;

function flush(destination: DestinationStream | LogDestination): void {
  if ('flush' in destination) destination.flush();
}

/** How many bytes are buffered while nothing can be written. */
const maxKept = 1024 * 1024;

/** How many bytes, and for how many milliseconds, are collected before a write. */
const blockBytes = 8192;
const maxWaitMs = 1000;

/**
 * Standard output, or a file. Lines are written in blocks, and the remaining lines when the process
 * ends. If writing fails, as on a full disk, lines are buffered for a while and then dropped: a
 * service must neither end nor hang because of its log.
 *
 * Blocks are written synchronously: one write for some thirty lines costs very little, and no write
 * is in progress at the end of the process.
 */
export function openLogDestination(dest: string | number = 1): LogDestination {
  const destination = pino.destination({
    dest,
    sync: true,
    minLength: blockBytes,
    periodicFlush: maxWaitMs,
    maxLength: maxKept,
  });
  destination.on('error', () => undefined);
  // pino calls this after a fatal error; its own version retries forever if nothing can be written.
  destination.flushSync = () => destination.flush();
  process.once('exit', () => {
    try {
      destination.end();
    } catch {
      // It is closed already, and then throws.
    }
  });
  return destination;
}

type LogDestination = ReturnType<typeof pino.destination>;

type ErrorDescription = {
  type: string;
  message: string;
  stack: string | undefined;
  code?: string;
  /** The id that a failed page of the dashboard shows to the person. */
  digest?: string;
  cause?: ErrorDescription;
};

/**
 * The parts of an error that are logged. This is an allow-list, because errors of database drivers
 * also contain the statement's parameters, as fields and as text, such as session tokens and email
 * addresses.
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

function describeIfError(value: unknown): unknown {
  return value instanceof Error ? describeError(value) : value;
}

function withoutParameters(text: string): string {
  return text.replace(/\nparams: .*?(?=\n {4}at |$)/s, '');
}
