import { expect, test } from 'vitest';
import { changedFields, untouchedFields } from './changed-fields.ts';

const before = { tokens: 'all', payloads: false, name: 'Acme' };

test('only changed fields are written', () => {
  expect(changedFields(before, before)).toEqual({});
  expect(changedFields({ ...before, payloads: true }, before)).toEqual({ payloads: true });
});

test('changes by others are applied to unchanged fields, and edited fields keep their values', () => {
  const typed = { ...before, name: 'Acme Ltd' };
  const now = { tokens: 'none', payloads: false, name: 'Other' };
  expect({ ...typed, ...untouchedFields(typed, { before, now }) }).toEqual({
    tokens: 'none',
    payloads: false,
    name: 'Acme Ltd',
  });
});
