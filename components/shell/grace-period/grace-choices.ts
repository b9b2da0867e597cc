/** For how long an old token or secret stays valid beside the new one, in seconds. */
export const graceChoices = [
  { value: '0', label: 'Now' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 24 hours' },
  { value: '604800', label: 'In 7 days' },
] as const;

export type GraceChoice = (typeof graceChoices)[number]['value'];

export const defaultGraceChoice: GraceChoice = '86400';

/**
 * When the old one would end: after the grace period, but not later than `latest`. Null: at once.
 */
export function graceEnd(choice: GraceChoice, now: Date, latest: Date | null = null): Date | null {
  const seconds = Number(choice);
  if (seconds === 0) return null;
  const end = new Date(now.getTime() + seconds * 1000);
  return latest !== null && latest < end ? latest : end;
}
