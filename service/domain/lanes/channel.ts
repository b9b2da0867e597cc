/** Where lanes speak to the workers of all processes. */
export const laneChannel = 'lanes';

/** Something may be claimed. */
export const dueNews = 'due';

/** Before the ids of lanes that changed while somebody holds them. */
export const changedPrefix = 'changed:';
