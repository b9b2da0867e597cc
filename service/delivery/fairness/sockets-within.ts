import { readFileSync } from 'node:fs';
import type { Context } from '../../context.ts';

/** Open files that are reserved for everything but webhooks: clients, the database, files. */
const leftForOthers = 512;

/** How many sockets webhooks may use, so that other files can be opened; logs if too few. */
export function socketsWithin(
  asked: number,
  { log }: Pick<Context, 'log'>,
  openFiles: number = readOpenFilesLimit(),
): number {
  if (openFiles >= asked + leftForOthers) return asked;
  const sockets = Math.max(1, openFiles - leftForOthers, Math.floor(openFiles / 2));
  if (sockets >= asked) return asked;
  log.warn(
    { open_files: openFiles, sockets },
    `WEBHOOK_MAX_SOCKETS is ${asked}, but this process may open only ${openFiles} files: webhooks get ${sockets} sockets. Raise the limit (ulimit -n) to ${asked + leftForOthers}, or lower WEBHOOK_MAX_SOCKETS.`,
  );
  return sockets;
}

/** Reads `/proc`, so it works on Linux only; Infinity on other systems. */
function readOpenFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
