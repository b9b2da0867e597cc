import { hostname } from 'node:os';
import { symbols } from 'pino';
import type { DestinationStream } from 'pino';
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
 * Creates a function that writes one line for each request, like the logger's lines of level `info`
 * and to the same destination. It does not use the logger, which would search every name and the
 * text for secrets: much of the time of a short call.
 */
export function createAccessLog(
  log: Logger,
  choice: AccessLogChoice,
): (entry: AccessEntry) => void {
  const destination = destinationOf(log);
  const writer = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;

  return (entry) => {
    if (choice === 'off' || !log.isLevelEnabled('info')) return;
    if (choice === 'errors' && entry.status < smallestErrorStatus) return;
    destination.write(
      `{"level":${infoLevel},"time":${Date.now()},${writer},${fieldsOf(entry)},"msg":"request"}\n`,
    );
  };
}

/** The same output as `JSON.stringify`, but faster: none of these texts needs escaping. */
function fieldsOf(entry: AccessEntry): string {
  return (
    `"request_id":"${entry.request_id}","method":"${entry.method}","route":${textOf(entry.route)}` +
    `,"status":${entry.status},"duration_ms":${entry.duration_ms},"ip":${JSON.stringify(entry.ip)}` +
    `,"account_id":${textOf(entry.account_id)},"actor":${textOf(entry.actor)}`
  );
}

function textOf(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

const infoLevel = 30;

function destinationOf(log: Logger): DestinationStream {
  return (log as unknown as Record<typeof symbols.streamSym, DestinationStream>)[symbols.streamSym];
}
