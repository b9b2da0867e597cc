import { newReadableCode } from '../../../tokens/readable-code.ts';

/** A random password of 140 bits, to pass on to somebody. */
export function newPassword(): string {
  return newReadableCode(7);
}
