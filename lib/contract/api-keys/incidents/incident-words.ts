/** What is done to many keys together: `done` in a sentence, `label` as a label. */
export const incidentWords = {
  rotate: { verb: 'Rotate', doing: 'Rotating', done: 'rotated', label: 'Rotated', isTyped: true },
  revoke: { verb: 'Revoke', doing: 'Revoking', done: 'revoked', label: 'Revoked', isTyped: true },
  pause: { verb: 'Pause', doing: 'Pausing', done: 'paused', label: 'Paused', isTyped: false },
  resume: { verb: 'Resume', doing: 'Resuming', done: 'resumed', label: 'Resumed', isTyped: false },
} as const;

export type IncidentAct = keyof typeof incidentWords;

/** What a person types first, such as "revoke 12 keys". Null for what can be undone. */
export function incidentConfirmation(act: IncidentAct, count: number): string | null {
  if (!incidentWords[act].isTyped) return null;
  return `${act} ${count} ${count === 1 ? 'key' : 'keys'}`;
}
