import { createHash, randomBytes } from 'node:crypto';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

export const setUpTokenMinutes = 60;

/** 256 random bits, in letters that stand in a URL as they are. */
export function newSetUpToken(): string {
  return randomBytes(32).toString('base64url');
}

export function digestSetUpToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** One answer for a wrong, used, replaced and expired token. */
export function spentSetUpToken(): ServiceError {
  return invalid(
    'set_up_token',
    'This link is no longer valid. Start the service again: npm start prints a new one.',
  );
}

export function alreadySetUp(): ServiceError {
  return invalid('set_up_token', 'The service is set up already. Sign in instead.');
}
