import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const linkToken = 'kK3'.padEnd(43, '-x');
const appKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

test.each([
  ['a token', ['sk_live', 'a1B2c3D4e5F6'].join('_')],
  ['a signing secret', ['whsec', 'a1B2c3D4e5F6='].join('_')],
  ['a link', `#${linkToken}`],
  ['the key of an app', appKey],
  ['the key of an app in groups', appKey.replaceAll(/.{4}(?=.)/g, '$& ')],
  ['a recovery code', 'i6i2-k9fy-wdxs-u6tk'],
])('%s is not quoted in a report', (_what, secret) => {
  const text = redact(`Expected "https://x.example/invitation#${linkToken}", not "${secret}".`);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(linkToken);
  expect(text).toMatch(/^Expected .*, not .*\.$/);
});

test('an id and a sentence are quoted as they are', () => {
  const text = 'The row c1b5c7de-4a8e-4d4c-9f5e-2b7a93d6e8fa was not found.';
  expect(redact(text)).toBe(text);
});
