import type { ApiKey } from '#lib/contract/api-keys.ts';

export type TokenUse = { at: string | null; from: string | null };

/** The older token's last use. The API keeps one address per key: it is this token's if the moment is. */
export function olderTokenUse({
  previous_token: older,
  last_used_at: at,
  last_used_ip: ip,
}: ApiKey): TokenUse {
  const usedAt = older?.last_used_at ?? null;
  return { at: usedAt, from: usedAt !== null && usedAt === at ? ip : null };
}

/** The newest token's last use. Undefined: not since the older one's, before which it is unknown. */
export function newestTokenUse({
  previous_token: older,
  last_used_at: at,
  last_used_ip: ip,
}: ApiKey): TokenUse | undefined {
  if (older !== null && at !== null && older.last_used_at === at) return undefined;
  return { at, from: ip };
}

/** Whether something still called with the older token after there was a newer one. */
export function isOlderTokenInUse({ previous_token: older }: ApiKey): boolean {
  if (older === null || older.last_used_at === null) return false;
  return Date.parse(older.last_used_at) > Date.parse(older.replaced_at);
}
