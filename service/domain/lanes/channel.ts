/** The notification channel on which the workers of all processes learn of changed lanes. */
export const laneChannel = 'lanes';

/** Something may be claimed. */
export const dueNews = 'due';

/** Before the ids of lanes that changed while somebody holds them. */
export const changedPrefix = 'changed:';

/** Before the id of a webhook whose URL or secrets changed, or that is deleted. */
export const webhookPrefix = 'webhook:';
