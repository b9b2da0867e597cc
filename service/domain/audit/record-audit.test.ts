import { expect, test } from 'vitest';
import { listChanges } from './record-audit.ts';

test('a change names what each field was and became, in the form of the API', () => {
  const before = { name: 'A', scopes: ['x'], expires_at: null, url: 'u' };
  const after = {
    name: 'B',
    scopes: ['x'],
    expires_at: new Date('2027-01-01T00:00:00Z'),
    url: undefined,
  };
  expect(listChanges(before, after)).toEqual({
    name: { from: 'A', to: 'B' },
    expires_at: { from: null, to: '2027-01-01T00:00:00.000+00:00' },
  });
});
