import type { Execution } from '../create-executor.ts';

export type ThreadData = {
  folder: string;
  startParams: string[];
  /** Whether V8 may compile the database again, optimized, which takes much memory at first. */
  isOptimized: boolean;
};

/** A request to the thread: a message of PostgreSQL's protocol, or `close`. */
export type ThreadRequest = Uint8Array | 'close';

/** First whether it opened the database, then one result for each request, in their order. */
export type ThreadResult =
  | { type: 'opened' }
  | { type: 'failed'; error: Error; isAbort: boolean }
  | ({ type: 'executed' } & Execution)
  | { type: 'closed' };
