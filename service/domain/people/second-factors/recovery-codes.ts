import { createHash } from 'node:crypto';
import { recoveryCodeCount } from '#lib/contract/people/second-factors.ts';
import type { Tx } from '../../../db/open.ts';
import { newReadableCode } from '../../../tokens/readable-code.ts';
import { replaceRecoveryCodes } from '../store/second-factors.ts';

/** Replaces all recovery codes of a person with new ones, which are stored as digests. */
export async function giveRecoveryCodes(tx: Tx, personId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(tx, { personId, digests: codes.map(digestRecoveryCode), now });
  return codes;
}

/** 120 random bits. */
export function newRecoveryCode(): string {
  return newReadableCode(6);
}

/** A digest of the letters and digits only: grouping and case do not matter. */
export function digestRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`recovery-code:${plain}`).digest();
}
