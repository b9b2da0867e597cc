import { expect, test } from 'vitest';
import { lastFourIn, readPasted } from './pasted-text.ts';

const token = `sk_live_${'a1B2'.repeat(9)}Xy`;

test.each([token, ` "${token}"\n`, `Authorization: Bearer ${token}`, `key=${token}&page=2`])(
  'a whole token is found in %j',
  (text) => {
    expect(readPasted(text)).toEqual({ kind: 'token', token });
  },
);

test.each([
  ['part-of-token', token.slice(0, -1)],
  ['part-of-token', `${token}Z`],
  ['part-of-token', token.slice('sk_live_'.length)],
  ['part-of-token', 'SK_LIVE_a1b2c'],
  ['signing-secret', `whsec_${'a1B2'.repeat(11)}`],
  ['signing-secret', 'my secret is WHSEC_a1B2c'],
])('as %s counts %j, which is never searched for', (kind, text) => {
  expect(readPasted(text)).toEqual({ kind });
});

test.each(['sk_live_…a1b2', '…a1b2', 'sk_live_a1b2', 'Production', 'https://example.com/hook/1'])(
  'what a list shows is a text: %j',
  (text) => {
    expect(readPasted(text)).toEqual({ kind: 'text' });
  },
);

test.each(['sk_live_…a1b2', 'sk_live_...a1b2', '…a1b2', '... a1b2', '****a1b2', '••••••••a1b2'])(
  'the last four characters of %j are a1b2',
  (text) => {
    expect(lastFourIn(text)).toBe('a1b2');
  },
);

test.each(['a1b2', 'sk_live_a1b2', '…a1b2c', 'Halden…', '…'])('%j is no masked token', (text) => {
  expect(lastFourIn(text)).toBeNull();
});
