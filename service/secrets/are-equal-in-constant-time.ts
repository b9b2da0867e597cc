import { timingSafeEqual } from 'node:crypto';

/**
 * Compares secrets, or values computed from them, in a time that reveals only whether their lengths
 * differ.
 */
export function areEqualInConstantTime(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
