import type { AttemptErrorKind } from './attempt-errors.ts';

/**
 * The errors after which the status of a response does not count: the response broke off or never
 * ended, so the server may not have the event, or the fault is our own. After every other error, an
 * attempt succeeded or failed by its status, if it got one.
 */
export const errorsInsteadOfStatus = [
  'connection_reset',
  'read_timeout',
  'internal',
] as const satisfies readonly AttemptErrorKind[];

/** Whether the status of a response counts, although there was this error or none (null). */
export function isStatusCounted(errorKind: string | null): boolean {
  return errorsInsteadOfStatus.every((kind) => kind !== errorKind);
}
