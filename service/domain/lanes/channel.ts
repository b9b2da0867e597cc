/** The notification channel on which the workers of all processes learn of changed lanes. */
export const laneChannel = 'lanes';

/** Says that a lane may be claimed. */
export const lanesDueMessage = 'due';

/** Prefix of the ids of leased lanes that changed. */
export const changedLanesPrefix = 'changed:';

/** Prefix of the id of a webhook that was paused or deleted, or whose URL or secrets changed. */
export const changedWebhookPrefix = 'webhook:';
