import type { Role } from '#lib/contract/roles.ts';
import { dayMs } from '#lib/durations.ts';

const restorableMs = 7 * dayMs;

/** Clocks of several processes may differ: nothing is erased while one of them still restores. */
const marginMs = 600_000;

/** Until when an account that was deleted can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableMs);
}

/** Whether an account that was deleted can be restored no more. */
export function isPastRestoreWindow(deletedAt: Date, now: Date): boolean {
  return restorableUntil(deletedAt) <= now;
}

/** What was deleted before this moment, or then, is erased. */
export function erasureCutoff(now: Date): Date {
  return new Date(now.getTime() - restorableMs - marginMs);
}

/**
 * Whether a member does not find the account: it is being deleted, and they do not own it, or it can
 * be restored no more.
 */
export function isHiddenFromMember(
  { role, deletedAt }: { role: Role; deletedAt: Date | null },
  now: Date,
): boolean {
  return deletedAt !== null && (role !== 'owner' || isPastRestoreWindow(deletedAt, now));
}

/** The memberships whose accounts the person finds. */
export function findableMemberships<One extends { role: Role; deletedAt: Date | null }>(
  memberships: readonly One[],
  now: Date,
): One[] {
  return memberships.filter((membership) => !isHiddenFromMember(membership, now));
}
