import { createHash, randomBytes } from 'node:crypto';

/** The secret part of a link: 256 random bits, in characters that need no escaping in a URL. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The digest that is stored of a link's token. */
export function digestLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
