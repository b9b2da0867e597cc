import { constants } from 'node:os';

/** The exit status of a child process as a shell reports it: 128 plus the number of a signal. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}
