/** What is done to many keys at once. */
export const incidentActs = ['rotate', 'revoke'] as const;

export type IncidentAct = (typeof incidentActs)[number];

/** What somebody types before many keys are rotated or revoked, as "revoke 12 keys". */
export function incidentConfirmation(act: IncidentAct, count: number): string {
  return `${act} ${count} ${count === 1 ? 'key' : 'keys'}`;
}
