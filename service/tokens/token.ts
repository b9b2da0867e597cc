import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'sk_live_';
/** Of the token of a provisioner. */
export const provisionerPrefix = 'prov_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const shape = /^sk_live_[0-9A-Za-z]{38}$/;

/**
 * A new token: `sk_live_`, 32 random base62 characters (190 bits) and 6 base62 characters for the
 * CRC-32 (IEEE) of everything before them. The checksum reveals typing errors, and false finds of
 * scanners, without a look-up.
 */
export function newToken(): string {
  return withChecksum(prefix + randomBase62(randomLength));
}

export function newProvisionerToken(): string {
  return withChecksum(provisionerPrefix + randomBase62(randomLength));
}

function withChecksum(body: string): string {
  return body + checksum(body);
}

/** Whether it has the form and checksum of a token. It may still be unknown or revoked. */
export function isWellFormedToken(text: string): boolean {
  if (!shape.test(text)) return false;
  const body = text.slice(0, -checksumLength);
  return checksum(body) === text.slice(-checksumLength);
}

/** The digest that is stored instead. SHA-256 without salt is enough for 190 random bits. */
export function digestToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export function lastFour(token: string): string {
  return token.slice(-4);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < checksumLength; place += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes from 248 on are skipped: 256 is not a multiple of 62, so they would favor some. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
