/** What is done to many keys together. */
export const incidentActs = ['rotate', 'revoke'] as const;

export type IncidentAct = (typeof incidentActs)[number];

/**
 * The words that a person types before many keys are rotated or revoked, such as "revoke 12 keys".
 */
export function incidentConfirmation(act: IncidentAct, count: number): string {
  return `${act} ${count} ${count === 1 ? 'key' : 'keys'}`;
}
