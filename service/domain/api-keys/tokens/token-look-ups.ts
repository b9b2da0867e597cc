/**
 * How many look-ups of tokens that it does not know a process has under way, and how many of those and
 * of those that wait may be for one address. Anybody can make such a token, its checksum included, and
 * the limit on failed authentications counts a call only once its token was looked up. What is under way
 * stands before the statements of all other calls: 16 take a few milliseconds.
 */
export const defaultLookUps = { maxConcurrent: 16, maxPerKey: 16, maxQueuedPerKey: 400 };
