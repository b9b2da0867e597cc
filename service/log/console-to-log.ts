import { format, stripVTControlCharacters } from 'node:util';
import { isLoggedAlready } from '#lib/failures/is-logged-already.ts';
import type { Logger } from './log.ts';

/** Longer lines of a library are cut. */
const maxMessageLength = 8192;

/** Sends to the log what libraries write to the console, except errors that are logged already. */
export function sendConsoleToLog(console: ConsoleMethods, log: Logger): void {
  for (const [method, level] of Object.entries(levels) as [keyof ConsoleMethods, Level][]) {
    console[method] = (...args: unknown[]) => {
      const err = args.find((arg) => arg instanceof Error);
      if (isLoggedAlready(err)) return;
      const message = plainText(args.filter((arg) => arg !== err));
      log[level]({ source: 'console', ...(err && { err }) }, message || (err?.message ?? ''));
    };
  }
}

type ConsoleMethods = Record<keyof typeof levels, (...args: unknown[]) => void>;
type Level = (typeof levels)[keyof typeof levels];

const levels = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;

/** The text without colors, and without the sign that Next puts in front of its messages. */
function plainText(args: readonly unknown[]): string {
  const text = stripVTControlCharacters(format(...args));
  return text
    .slice(0, maxMessageLength)
    .replace(/^\s*[○⨯⚠▲✓»]?\s*/, '')
    .trimEnd();
}
