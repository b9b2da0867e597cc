/** The statuses of keys that no longer work. */
export const endedApiKeyStatuses = ['revoked', 'expired'] as const;

export type EndedApiKeyStatus = (typeof endedApiKeyStatuses)[number];

/** How many revoked and expired keys the list of all keys shows: those that ended last. */
export const endedApiKeysListed = 200;
