import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../testing/clock.ts';
import { createDeviceTokens } from './device-tokens.ts';
import type { DeviceTokens } from './device-tokens.ts';

const key = randomBytes(32);
const credential = { personId: crypto.randomUUID(), passwordHash: 'salt:hash' };

const tokens = open(key);

function open(current: Buffer, previous: Buffer | null = null): DeviceTokens {
  return createDeviceTokens({ secretKeys: { current, previous }, clock: new FakeClock() });
}

function issue(): string {
  return tokens.issue({ credential, device: null }).deviceToken;
}

describe('a device token', () => {
  test('names a new device each time, unless the device is already known', () => {
    const [first, second] = [tokens.read(issue()), tokens.read(issue())];
    expect(first?.deviceId).not.toBe(second?.deviceId);
    const { deviceToken } = tokens.issue({ credential, device: first });
    expect(tokens.read(deviceToken)?.deviceId).toBe(first?.deviceId);
  });

  test('is valid only as this service signed it', () => {
    const token = issue();
    const [claims = '', signature = ''] = token.split('.');
    const others = Buffer.from(claims, 'base64url').toString().replace(/.{8}-/, '01234567-');
    for (const forged of [
      '',
      '.',
      claims,
      `${claims}.`,
      `.${signature}`,
      `${Buffer.from(others).toString('base64url')}.${signature}`,
      `${claims}.${signature.slice(0, -1)}`,
      `${claims}x.${signature}`,
      `${token}.x`,
      'ü.€',
    ]) {
      expect(tokens.read(forged), forged).toBeNull();
    }
    expect(open(randomBytes(32)).read(token)).toBeNull();
    expect(tokens.read(token)).not.toBeNull();
  });

  test('stays valid after a change of SECRET_KEY while the previous key is given, and is then renewed', () => {
    const next = randomBytes(32);
    const during = open(next, key);
    const device = during.read(issue());
    expect(device?.isOf(credential)).toBe(true);
    const { deviceToken } = during.issue({ credential, device });
    const renewed = open(next).read(deviceToken);
    expect(renewed?.isOf(credential)).toBe(true);
    expect(renewed?.deviceId).toBe(device?.deviceId);
  });

  test('contains no part of the password, and fits into a cookie', () => {
    const token = issue();
    expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(token.length).toBeLessThan(512);
    const claims = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    expect(claims).not.toContain(credential.passwordHash);
  });
});
