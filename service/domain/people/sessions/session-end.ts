import { hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';

type HasSessionHours = { sessionHours: number };

/** Whether a session is older than its account allows. */
export function isTooOld(
  { createdAt }: { createdAt: Date },
  account: HasSessionHours,
  now: Date,
): boolean {
  return latestEnd(createdAt, account) <= now;
}

/** When a session ends: at `expiresAt`, or earlier if its account limits sessions to less. */
export function endInAccount(
  session: { createdAt: Date; expiresAt: Date },
  account: HasSessionHours,
): Date {
  const end = latestEnd(session.createdAt, account);
  return end < session.expiresAt ? end : session.expiresAt;
}

function latestEnd(createdAt: Date, { sessionHours }: HasSessionHours): Date {
  return new Date(createdAt.getTime() + sessionHours * hourMs);
}

/** Until when a proof that was given at `provedAt` is fresh. */
export function proofExpiresAt({ config }: Pick<Context, 'config'>, provedAt: Date): Date {
  return new Date(provedAt.getTime() + config.proofMaxAgeSeconds * 1000);
}
