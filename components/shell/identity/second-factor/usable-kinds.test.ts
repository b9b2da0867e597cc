import { expect, test } from 'vitest';
import { usableKinds } from './usable-kinds.ts';

const kinds = ['passkey', 'app', 'recovery_code'] as const;

test('a passkey is offered only on the host it was made for', () => {
  const offered = { kinds, passkey_host: 'keys.example.com' };
  expect(usableKinds(offered, 'keys.example.com')).toEqual(kinds);
  expect(usableKinds(offered, 'example.com')).toEqual(['app', 'recovery_code']);
  expect(usableKinds({ kinds, passkey_host: null }, '127.0.0.1')).toEqual(['app', 'recovery_code']);
});
