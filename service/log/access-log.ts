import { hostname } from 'node:os';
import { writeLogLine } from './log.ts';
import type { Logger } from './log.ts';

/** Which API requests are logged: all, those with a status of 400 or above, or none. */
export const accessLogChoices = ['all', 'errors', 'off'] as const;

export type AccessLogChoice = (typeof accessLogChoices)[number];

/**
 * The fields of a request in the log. None of them can contain a token or a secret, so these lines
 * are not searched for secrets: `request_id` was checked, `route` and `actor` are our own, and the
 * rest is a method, numbers, an address and a UUID.
 */
export type AccessEntry = {
  request_id: string;
  method: string;
  /** The route's name in the contract; null for an unknown path. */
  route: string | null;
  status: number;
  duration_ms: number;
  ip: string;
  account_id: string | null;
  /** `key:<id>` or `person:<id>`; null if nobody was authenticated. */
  actor: string | null;
};

const smallestErrorStatus = 400;

/**
 * Creates a function that writes one line for each request, in the format of the logger’s lines of
 * level `info`, and to the same destination. It does not use the logger, which would search every
 * name and the text for secrets: much of the time of a short call.
 */
export function createAccessLog(
  log: Logger,
  choice: AccessLogChoice,
): (entry: AccessEntry) => void {
  const writer = { pid: process.pid, hostname: hostname() };
  return (entry) => {
    if (choice === 'off' || !log.isLevelEnabled('info')) return;
    if (choice === 'errors' && entry.status < smallestErrorStatus) return;
    const head = { level: log.levels.values['info'], time: Date.now(), ...writer };
    writeLogLine(log, `${JSON.stringify({ ...head, ...entry, msg: 'request' })}\n`);
  };
}
