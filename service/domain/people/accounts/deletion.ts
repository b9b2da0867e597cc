import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs } from '#lib/durations.ts';

const restorableMs = 7 * dayMs;

/**
 * A margin for clocks that differ between processes: nothing is erased while one of them could
 * still restore it.
 */
const marginMs = 600_000;

/** Until when an account that was deleted can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableMs);
}

/** Whether a deleted account can no longer be restored. */
export function isPastRestoreWindow(deletedAt: Date, now: Date): boolean {
  return restorableUntil(deletedAt) <= now;
}

/** Accounts that were deleted at or before this moment are erased. */
export function erasureCutoff(now: Date): Date {
  return new Date(now.getTime() - restorableMs - marginMs);
}

/**
 * Whether an account is hidden from a member: it is being deleted and they are not an owner, or it
 * can no longer be restored.
 */
export function isHiddenFromMember(
  { role, deletedAt }: { role: Role; deletedAt: Date | null },
  now: Date,
): boolean {
  return deletedAt !== null && (role !== 'owner' || isPastRestoreWindow(deletedAt, now));
}

/** The memberships whose accounts are not hidden from the person. */
export function findableMemberships<One extends { role: Role; deletedAt: Date | null }>(
  memberships: readonly One[],
  now: Date,
): One[] {
  return memberships.filter((membership) => !isHiddenFromMember(membership, now));
}
