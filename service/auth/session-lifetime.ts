import { daySeconds, hourSeconds } from '#lib/durations.ts';

/** How long a session lasts without use. */
export const idleSeconds = 12 * hourSeconds;
/** How long it lasts at most, however much it is used. */
const maxAgeSeconds = 7 * daySeconds;

/** When a session ends at the latest. */
export function latestEnd({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + maxAgeSeconds * 1000);
}

/** When a session ends if it is not used again. */
export function endOf(session: { createdAt: Date; expiresAt: Date }): Date {
  const latest = latestEnd(session);
  return session.expiresAt < latest ? session.expiresAt : latest;
}
