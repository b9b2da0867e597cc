import type { Execution } from '../execute-messages.ts';

/** What the thread of the database is started with. */
export type ThreadData = { folder: string; startParams: string[] };

/** To the thread: a message of PostgreSQL's protocol, or the wish that it closes the database. */
export type Request = Uint8Array | 'close';

/** From the thread: whether it opened the database, then one answer to each request, in their order. */
export type Answer =
  | { type: 'opened' }
  | { type: 'failed'; error: Error; isAbort: boolean }
  | ({ type: 'executed' } & Execution)
  | { type: 'closed' };
