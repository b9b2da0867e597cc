/**
 * Limits on look-ups of unknown tokens: how many a process has in progress, and how many are in
 * progress and may wait for one address. Anyone can make up such a token, including its checksum,
 * and the limit on failed authentications counts a call only after its token was looked up.
 * Look-ups in progress delay the statements of all other calls: 16 take a few milliseconds.
 */
export const defaultLookUps = { maxConcurrent: 16, maxPerKey: 16, maxQueuedPerKey: 400 };
