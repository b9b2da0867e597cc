import { createHash, randomBytes } from 'node:crypto';
import { recoveryCodeCount } from '#lib/contract/people/second-factors.ts';
import type { Tx } from '../../../db/open.ts';
import { replaceRecoveryCodes } from '../store/second-factors.ts';

/** Gives a person new recovery codes in the place of all they have. They are stored as digests. */
export async function giveRecoveryCodes(tx: Tx, personId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(tx, { personId, digests: codes.map(digestRecoveryCode), now });
  return codes;
}

/** 120 random bits in groups of four characters, fit to be written down. */
export function newRecoveryCode(): string {
  const characters = [...randomBytes(24)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}

/** Of its letters and digits: how it is grouped and in which case it is typed does not matter. */
export function digestRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`recovery-code:${plain}`).digest();
}

/** 32 of them, so that no remainder favours any; without those that look like another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
