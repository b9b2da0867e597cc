import { newReadableCode } from '../../../readable-code.ts';

/** A password to hand over: 140 random bits. */
export function newPassword(): string {
  return newReadableCode(7);
}
