import { timingSafeEqual } from 'node:crypto';

/** Compares secrets, or values computed from them, and reveals only whether lengths differ. */
export function areEqualInConstantTime(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
