import { createHash, randomBytes } from 'node:crypto';

/** What makes a link good: 256 random bits, in letters that stand in a URL as they are. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of it. */
export function digestLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
