/**
 * Limits on reads that may take seconds, such as a month's statistics of a busy webhook: how many a
 * process has in progress, how many for one account, and how many may wait for one account. On
 * PostgreSQL, all calls of a process share ten connections; these reads use three of them at most.
 */
export const defaultHeavyReads = { maxConcurrent: 3, maxPerKey: 2, maxQueuedPerKey: 100 };
