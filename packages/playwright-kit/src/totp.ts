import { createHmac } from 'node:crypto';

const stepMs = 30_000;

/**
 * The code that an authenticator app with this key shows at a time (RFC 6238: SHA-1, 6 digits).
 * Implemented here, because the kit needs nothing but Playwright.
 *
 * @param key in base32, with or without spaces
 */
export function totp(key: string, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / stepMs)));
  const hash = createHmac('sha1', fromBase32(key)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Milliseconds until the app shows the next code. */
export function untilNextCode(now: number): number {
  return stepMs - (now % stepMs);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(key: string): Buffer {
  const bits = [...key.replaceAll(/\s/g, '').toUpperCase()]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
