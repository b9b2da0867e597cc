import { randomBytes } from 'node:crypto';

/** 32 characters, so that no remainder favors any; without l, o, 0 and 1, which look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A code with five random bits a character, in groups of four: easy to read aloud. */
export function newReadableCode(groups: number): string {
  const characters = [...randomBytes(groups * 4)].map((byte) =>
    alphabet.charAt(byte % alphabet.length),
  );
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}
