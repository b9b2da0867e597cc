import type { ApiKey } from '#lib/contract/api-keys.ts';

/** The dialog's choices for the grace period, in seconds. */
export const graceChoices = [
  { value: '0', label: 'Now' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 24 hours' },
  { value: '604800', label: 'In 7 days' },
] as const;

export type GraceChoice = (typeof graceChoices)[number]['value'];

/**
 * When the old token would end: after the grace period, but not later than the key expires. Null:
 * at once.
 */
export function graceEnd(
  choice: GraceChoice,
  { expires_at: expiresAt }: Pick<ApiKey, 'expires_at'>,
  now: Date,
): Date | null {
  const seconds = Number(choice);
  if (seconds === 0) return null;
  const end = now.getTime() + seconds * 1000;
  return new Date(expiresAt === null ? end : Math.min(end, Date.parse(expiresAt)));
}
