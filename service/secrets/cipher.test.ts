import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCipher } from './cipher.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const cipher = createCipher({ current: first, previous: null });
const row = { table: 'webhook_secrets', uuid: 'a1', accountId: 'm1' };

describe('a sealed value', () => {
  test('can be opened for its row', () => {
    expect(cipher.open(cipher.seal('grüße', row), row)).toBe('grüße');
    expect(cipher.open(cipher.seal('', row), row)).toBe('');
  });

  test('reveals nothing of its content and differs each time', () => {
    const sealed = cipher.seal('plain words', row);
    expect(sealed.includes('plain words')).toBe(false);
    expect(sealed.equals(cipher.seal('plain words', row))).toBe(false);
  });

  test.each([
    ['another row', { ...row, uuid: 'a2' }],
    ['another account', { ...row, accountId: 'm2' }],
    ['another table', { ...row, table: 'other' }],
    ['a shifted border between row and account', { ...row, uuid: 'a1m', accountId: '1' }],
  ])('cannot be opened for %s', (_, other) => {
    expect(() => cipher.open(cipher.seal('x', row), other)).toThrow('cannot be opened');
  });

  test('cannot be opened when any of its bytes was changed', () => {
    const sealed = cipher.seal('abc', row);
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => cipher.open(changed, row), `byte ${index}`).toThrow('cannot be opened');
    }
  });

  test('cannot be opened when it was cut', () => {
    const sealed = cipher.seal('abc', row);
    for (const length of sealed.keys()) {
      expect(() => cipher.open(sealed.subarray(0, length), row)).toThrow('cannot be opened');
    }
  });

  test('reveals nothing of its content when it cannot be opened', () => {
    const sealed = cipher.seal('plain words', row);
    expect(() => cipher.open(sealed, { ...row, uuid: 'b' })).toThrow(
      'The sealed value of webhook_secrets b cannot be opened.',
    );
  });
});

describe('after a change of key', () => {
  const changed = createCipher({ current: second, previous: first });

  test('values sealed with the previous key can be opened', () => {
    expect(changed.open(cipher.seal('x', row), row)).toBe('x');
  });

  test('new values are sealed with the current key', () => {
    const later = createCipher({ current: second, previous: null });
    expect(later.open(changed.seal('x', row), row)).toBe('x');
    expect(() => cipher.open(changed.seal('x', row), row)).toThrow('cannot be opened');
  });

  test('values can be opened even if two keys have the same id', () => {
    const idOf = (key: Buffer) => createCipher({ current: key, previous: null }).seal('', row)[1];
    let twin = randomBytes(32);
    while (idOf(twin) !== idOf(first)) twin = randomBytes(32);
    const both = createCipher({ current: twin, previous: first });
    expect(both.open(cipher.seal('x', row), row)).toBe('x');
  });
});
