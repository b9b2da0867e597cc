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

const ida = { kind: 'person' as const, id: 'ida', name: 'Ida' };
const sam = { ...ida, id: 'sam', name: 'Sam' };

test.each([
  ['session.ended', null, 'signed out'],
  ['session.ended', { ended_ip: '192.0.2.7' }, 'ended a session'],
  ['person.recovery_code_used', null, 'used a recovery code'],
  ['person.second_factor_added', null, 'added a second factor'],
])(
  'what a person did to themselves, %s with the changes %j, is described as “%s”',
  (action, changes, before) => {
    expect(describeEntry({ action, changes, actor: ida, target: ida })).toEqual({
      before,
      after: null,
    });
    expect(describeEntry({ action, changes, actor: sam, target: ida }).after).toBe('');
  },
);

test('failed sign-ins are described with their number', () => {
  const entry = { action: 'session.sign_in_failed', target: ida };
  const one = describeEntry({ ...entry, changes: { failed_sign_ins: 1 } });
  expect(one).toEqual({ before: 'failed to sign in as ', after: '' });
  const five = describeEntry({ ...entry, changes: { failed_sign_ins: 5 } });
  expect(five).toEqual({ before: 'failed 5 times to sign in as ', after: '' });
});
