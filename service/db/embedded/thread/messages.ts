import type { Execution } from '../execute-messages.ts';

/** The `workerData` of the database's thread. */
export type ThreadData = { folder: string; startParams: string[] };

/** To the thread: a message of PostgreSQL's protocol, or the request to close the database. */
export type ThreadRequest = Uint8Array | 'close';

/** From the thread: whether it opened the database, then one answer to each request, in their order. */
export type ThreadResult =
  | { type: 'opened' }
  | { type: 'failed'; error: Error; isAbort: boolean }
  | ({ type: 'executed' } & Execution)
  | { type: 'closed' };
