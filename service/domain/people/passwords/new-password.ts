import { randomBytes } from 'node:crypto';

/** A password to hand over: 140 random bits in groups of four letters, fit to be read aloud. */
export function newPassword(): string {
  const letters = [...randomBytes(28)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

/** 32 of them, so that no remainder favours any; without those that look like another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
