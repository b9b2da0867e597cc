import { expect, test } from 'vitest';
import type { Account } from '#lib/contract/people/accounts.ts';
import { startOfDay } from '#lib/time.ts';
import {
  draftFromSettings,
  type AccountSettings,
  rebaseDraft,
  suggestedDay,
  toAccountInput,
  toInstallationInput,
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

const saved: AccountSettings = { account, installation: account.support };

test('a form that was not changed sends nothing', () => {
  expect(toAccountInput(draftFromSettings(saved), saved)).toEqual({});
  expect(toAccountInput({ ...draftFromSettings(saved), name: ' Acme ' }, saved)).toEqual({});
});

test('only changed fields are sent', () => {
  const draft = draftFromSettings(saved);
  expect(toAccountInput({ ...draft, session_hours: 12 }, saved)).toEqual({ session_hours: 12 });
  const support = { tokens: 'within_role', payloads: true, error_texts: false } as const;
  expect(toAccountInput({ ...draft, support, name: 'Acme Ltd' }, saved)).toEqual({
    name: 'Acme Ltd',
    support: { payloads: true },
  });
  expect(toAccountInput({ ...draft, second_factor_required_from: null }, saved)).toEqual({
    second_factor_required_from: null,
  });
  expect(toAccountInput({ ...draft, second_factor_required_from: '2026-12-02' }, saved)).toEqual({
    second_factor_required_from: new Date('2026-12-02T00:00').toISOString(),
  });
});

test("another owner's changes are applied, except to fields that were edited", () => {
  const support = { tokens: 'within_role', payloads: true, error_texts: false } as const;
  const draft = { ...draftFromSettings(saved), name: 'Acme Ltd', support };
  const now: Account = {
    ...account,
    name: 'Other',
    support: { tokens: 'webhook_and_bot', payloads: false, error_texts: false },
    session_hours: 12,
  };
  const rebased = rebaseDraft(draft, { before: saved, now: { ...saved, account: now } });
  expect(toAccountInput(rebased, { ...saved, account: now })).toEqual({
    name: 'Acme Ltd',
    support: { payloads: true },
  });
  expect(rebased.support.tokens).toBe('webhook_and_bot');
});

test('installation support sees the same as support until it is chosen separately', () => {
  const draft = draftFromSettings(saved);
  expect(draft.installation).toBeNull();
  const support = { ...account.support, payloads: true };
  expect(toInstallationInput({ ...draft, support }, saved)).toEqual({ payloads: true });
  const separate = { ...draft, support, installation: account.support };
  expect(toInstallationInput(separate, saved)).toEqual({});
  expect(toInstallationInput({ ...draft, support }, { ...saved, installation: null })).toEqual({});
  const differing = { ...saved, installation: support };
  expect(draftFromSettings(differing).installation).toEqual(support);
  const tokens = 'webhook_and_bot' as const;
  const now = { ...differing, installation: { ...support, tokens } };
  const changed = { ...draftFromSettings(differing), installation: account.support };
  expect(rebaseDraft(changed, { before: differing, now }).installation).toEqual({
    ...account.support,
    tokens,
  });
});

test('a form in which both see the same stays so while its two parts are saved one after the other', () => {
  const support = { ...account.support, payloads: true };
  const between = { ...saved, account: { ...account, support } };
  const draft = { ...draftFromSettings(saved), support };
  const later = rebaseDraft(draft, { before: saved, now: between });
  const now = { ...between, installation: support };
  const done = rebaseDraft(later, { before: between, now });
  expect(done.installation).toBeNull();
  expect(toInstallationInput(done, now)).toEqual({});
});

test('the name and the date are required', () => {
  const draft = { ...draftFromSettings(saved), name: ' ', second_factor_required_from: '' };
  expect(Object.keys(validateAccountDraft(draft))).toEqual(['name', 'second_factor_required_from']);
  expect(validateAccountDraft({ ...draft, name: 'A', second_factor_required_from: null })).toEqual(
    {},
  );
});

test('the suggested date gives members two weeks', () => {
  expect(suggestedDay(new Date('2026-11-20T12:00'))).toBe('2026-12-04');
});
