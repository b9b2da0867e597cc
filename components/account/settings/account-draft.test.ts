import { expect, test } from 'vitest';
import type { Account } from '#lib/contract/people/accounts.ts';
import { startOfDay } from '#lib/time.ts';
import {
  draftFromAccount,
  rebaseDraft,
  suggestedDay,
  toAccountInput,
  validateAccountDraft,
} from './account-draft.ts';

const day = '2026-12-01';

const account: Account = {
  id: 'acme',
  name: 'Acme',
  support: { tokens: 'within_role', payloads: false, error_texts: false },
  second_factor_required_from: (startOfDay(day)?.toISOString() ?? '').replace('Z', '+00:00'),
  session_hours: 168,
};

test('a form that was not changed sends nothing', () => {
  expect(toAccountInput(draftFromAccount(account), account)).toEqual({});
  expect(toAccountInput({ ...draftFromAccount(account), name: ' Acme ' }, account)).toEqual({});
});

test('only changed fields are sent', () => {
  const draft = draftFromAccount(account);
  expect(toAccountInput({ ...draft, session_hours: 12 }, account)).toEqual({ session_hours: 12 });
  const support = { tokens: 'within_role', payloads: true, error_texts: false } as const;
  expect(toAccountInput({ ...draft, support, name: 'Acme Ltd' }, account)).toEqual({
    name: 'Acme Ltd',
    support: { payloads: true },
  });
  expect(toAccountInput({ ...draft, second_factor_required_from: null }, account)).toEqual({
    second_factor_required_from: null,
  });
  expect(toAccountInput({ ...draft, second_factor_required_from: '2026-12-02' }, account)).toEqual({
    second_factor_required_from: new Date('2026-12-02T00:00').toISOString(),
  });
});

test("another owner's changes are applied, except to fields that were edited", () => {
  const support = { tokens: 'within_role', payloads: true, error_texts: false } as const;
  const draft = { ...draftFromAccount(account), name: 'Acme Ltd', support };
  const now: Account = {
    ...account,
    name: 'Other',
    support: { tokens: 'webhook_and_bot', payloads: false, error_texts: false },
    session_hours: 12,
  };
  const rebased = rebaseDraft(draft, { before: account, now });
  expect(toAccountInput(rebased, now)).toEqual({ name: 'Acme Ltd', support: { payloads: true } });
  expect(rebased.support.tokens).toBe('webhook_and_bot');
});

test('the name and the date are required', () => {
  const draft = { ...draftFromAccount(account), name: ' ', second_factor_required_from: '' };
  expect(Object.keys(validateAccountDraft(draft))).toEqual(['name', 'second_factor_required_from']);
  expect(validateAccountDraft({ ...draft, name: 'A', second_factor_required_from: null })).toEqual(
    {},
  );
});

test('the suggested date gives members two weeks', () => {
  expect(suggestedDay(new Date('2026-11-20T12:00'))).toBe('2026-12-04');
});
