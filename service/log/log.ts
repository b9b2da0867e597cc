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
  const log = pino(
    {
      level: options.level,
      serializers: { err: describe },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      hooks: {
        streamWrite: redactSecrets,
        logMethod(args, method, level) {
          method.apply(this, args);
          // What went wrong is there even if the process is killed a moment later.
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

/** Writes an entry that another process made, with `createLogger`. */
export function writeLogLine(log: Logger, line: string): void {
  destinations.get(log)?.write(line);
}

const warnLevel = 40;

function flush(destination: DestinationStream | LogDestination): void {
  if ('flush' in destination) destination.flush();
}

/** How many bytes are kept for later while nothing can be written. */
const maxKept = 1024 * 1024;

/** How many bytes are collected, and for how long at most, before they are written at once. */
const blockBytes = 8192;
const maxWaitMs = 1000;

/**
 * Standard output, or a file. Lines are written in blocks; what is left is written when the process
 * ends. Where it cannot be written to, as on a full disk, lines are buffered for a while, then
 * dropped: a service must neither end nor hang because of its log.
 *
 * Blocks are written synchronously: one write for some thirty lines costs next to nothing, and at
 * the end of the process none is under way.
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
  // pino calls this after a fatal error; its own tries for ever where nothing can be written.
  destination.flushSync = () => destination.flush();
  process.once('exit', () => destination.end());
  return destination;
}

type LogDestination = ReturnType<typeof pino.destination>;

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
 * statement's parameters, among them session tokens and email addresses, as fields and as text.
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
