import { expect, test } from 'vitest';

import { describeEntry } from './describe-entry.ts';

const toInactive = { is_active: { from: true, to: false } };
const toActive = { is_active: { from: false, to: true } };
const renamed = { name: { from: 'Orders', to: 'Order notifier' } };

test.each([
  [toInactive, 'paused the webhook '],
  [toActive, 'activated the webhook '],
  [{ ...toActive, backlog: 'skip' }, 'activated the webhook '],
  [renamed, 'changed the webhook '],
  [{ ...renamed, ...toInactive }, 'changed the webhook '],
  [null, 'changed the webhook '],
])('an entry with the changes %j is described as “%s…”', (changes, before) => {
  expect(describeEntry({ action: 'webhook.updated', changes })).toEqual({ before, after: '' });
});

test('an entry of another action is described by its action', () => {
  const entry = { action: 'api_key.rotated', changes: toInactive };
  expect(describeEntry(entry)).toEqual({ before: 'rotated the key ', after: '' });
});
