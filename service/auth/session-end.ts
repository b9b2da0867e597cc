import { daySeconds } from '#lib/durations.ts';

const maxSeconds = 7 * daySeconds;

/** Maximum age of a session, regardless of activity. */
export function latestEnd({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + maxSeconds * 1000);
}

/** When a session ends if it is not used again. */
export function endOf(session: { createdAt: Date; expiresAt: Date }): Date {
  const latest = latestEnd(session);
  return session.expiresAt < latest ? session.expiresAt : latest;
}
