import { randomBytes } from 'node:crypto';

/** 32 of them, so that no remainder favours any; without l, o, 0 and 1, which look like another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Five random bits a character, in groups of four: fit to be read aloud and written down. */
export function newReadableCode(groups: number): string {
  const characters = [...randomBytes(groups * 4)].map((byte) =>
    alphabet.charAt(byte % alphabet.length),
  );
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}
