import { describe, expect, test } from 'vitest';

import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';

import { makeApiKey } from '../../testing/make-api-key.ts';
import {
  type ApiKeyDraft,
  countInvalidNetworks,
  toUpdateInput,
  draftFromApiKey,
  emptyDraft,
  validateDraft,
  toCreateInput,
  draftScopes,
} from './api-key-draft.ts';

const now = new Date('2026-11-20T12:00:30Z');
const filled: ApiKeyDraft = {
  ...emptyDraft,
  name: 'Portal',
  scopes: { ...emptyDraft.scopes, limited: ['webhooks:manage'] },
};

test('every invalid network counts as a field with an error', () => {
  const networks = ['10.0.0.0/8', '10.0.0.0/33', '', 'office'].map((text, id) => ({ id, text }));
  expect(countInvalidNetworks({ ...filled, allowed_cidrs: networks })).toBe(2);
  expect(countInvalidNetworks(filled)).toBe(0);
});

test('a limit that is no whole number of at least 1 is an error before anything is sent', () => {
  for (const limit of ['0', '1.5', 'many']) {
    const draft = { ...filled, rate_limit_per_minute: limit };
    expect(validateDraft(draft, now).rate_limit_per_minute).toMatch(/whole number/);
  }
  expect(validateDraft({ ...filled, rate_limit_per_minute: ' 30 ' }, now)).toEqual({});
});

test('tags and a description that the service would refuse are errors before anything is sent', () => {
  const errorsOf = (draft: Partial<ApiKeyDraft>) => validateDraft({ ...filled, ...draft }, now);
  expect(errorsOf({ tags: `live, ${'x'.repeat(31)}` }).tags).toMatch(/at most 30 characters/);
  expect(errorsOf({ tags: 'a,b,c,d,e,f,g,h,i,j,k' }).tags).toMatch(/at most 10 tags/);
  expect(errorsOf({ tags: 'live, eu, Live' }).tags).toMatch(/each tag only once/);
  expect(errorsOf({ description: 'x'.repeat(501) }).description).toMatch(/at most 500 characters/);
  // The service counts code points, and stores texts in the composed form.
  const allowed = {
    tags: `${'😀'.repeat(30)},,${'e\u0301'.repeat(30)}`,
    description: '😀'.repeat(500),
  };
  expect(errorsOf(allowed)).toEqual({});
});

test('only a changed description, tags or limit is sent, and an emptied field is removed', () => {
  const details = { description: 'Checkout', tags: ['eu', 'live'], rate_limit_per_minute: 30 };
  const apiKey = makeApiKey({ scopes: allScopes, ...details });
  const draft = draftFromApiKey(apiKey);
  expect(toUpdateInput({ ...draft, tags: ' EU,live,' }, apiKey, now)).toEqual({});
  expect(toUpdateInput({ ...draft, tags: 'eu,  Test  line' }, apiKey, now)).toEqual({
    tags: ['eu', 'test line'],
  });
  const emptied = { ...draft, description: ' ', tags: '', rate_limit_per_minute: '' };
  expect(toUpdateInput(emptied, apiKey, now)).toEqual({
    description: null,
    tags: [],
    rate_limit_per_minute: null,
  });
});

test('whether the key may rotate itself is sent only if it was changed', () => {
  const apiKey = makeApiKey({ scopes: allScopes });
  const draft = { ...draftFromApiKey(apiKey), may_rotate_itself: true };
  expect(toUpdateInput(draft, apiKey, now)).toEqual({ may_rotate_itself: true });
  expect(toUpdateInput(draft, { ...apiKey, may_rotate_itself: true }, now)).toEqual({});
});

describe('toCreateInput', () => {
  test('leaves out optional fields that are empty', () => {
    expect(toCreateInput(filled, now)).toEqual({
      name: 'Portal',
      type: 'limited',
      scopes: ['webhooks:manage'],
    });
  });

  test('sends no scopes for a full key, so that it also gets future ones', () => {
    expect(toCreateInput({ ...filled, type: 'full' }, now)).toEqual({
      name: 'Portal',
      type: 'full',
    });
  });

  test('sets the expiry to the whole minute that was shown', () => {
    const { expires_at } = toCreateInput(
      { ...filled, expires_at: { choice: '30', date: '', kept: null } },
      now,
    );
    expect(expires_at).toBe('2026-12-20T12:00:00.000+00:00');
  });

  test('leaves out empty networks', () => {
    const allowed_cidrs = [
      { id: 1, text: ' 203.0.113.0/24 ' },
      { id: 2, text: '  ' },
    ];
    expect(toCreateInput({ ...filled, allowed_cidrs }, now).allowed_cidrs).toEqual([
      '203.0.113.0/24',
    ]);
  });
});

test('a webhook or bot key has the scopes of its type until the person chooses others; they tick none for another type', () => {
  expect(draftScopes({ ...filled, type: 'bot' })).toEqual(['conversations:read', 'messages:write']);
  expect(draftScopes({ ...filled, type: 'webhook' })).toEqual([
    'webhooks:read',
    'webhooks:manage',
    'events:read',
    'events:listen',
  ]);
  expect(draftScopes(emptyDraft)).toEqual([]);
  const scopes = { ...filled.scopes, bot: ['messages:write'] } as const;
  expect(draftScopes({ ...filled, type: 'bot', scopes })).toEqual(['messages:write']);
});

test('the form finds missing and invalid fields without the service', () => {
  expect(validateDraft(filled, now)).toEqual({});
  const past = { choice: 'date', date: '2020-01-01T00:00', kept: null } as const;
  expect(Object.keys(validateDraft({ ...emptyDraft, expires_at: past }, now))).toEqual([
    'name',
    'scopes',
    'expires_at',
  ]);
});

describe('toUpdateInput', () => {
  const stored = makeApiKey({
    name: 'Portal',
    type: 'limited',
    scopes: ['webhooks:read', 'webhooks:manage'],
    expires_at: '2027-01-01T12:00:17.000+00:00',
    allowed_cidrs: ['203.0.113.0/24'],
  });

  test('an unchanged draft changes nothing, no matter what the key has', () => {
    expect(toUpdateInput(draftFromApiKey(stored), stored, now)).toEqual({});
    const open: ApiKey = { ...stored, type: 'full', scopes: allScopes, expires_at: null };
    expect(toUpdateInput(draftFromApiKey(open), open, now)).toEqual({});
  });

  test('only changed fields are sent', () => {
    const draft = { ...draftFromApiKey(stored), name: ' Shop ' };
    expect(toUpdateInput(draft, stored, now)).toEqual({ name: ' Shop ' });
    expect(toUpdateInput({ ...draft, name: 'Portal', allowed_cidrs: [] }, stored, now)).toEqual({
      allowed_cidrs: [],
    });
  });

  test('an expiry can be removed, and moved to a whole minute', () => {
    const draft = draftFromApiKey(stored);
    const never = { ...draft.expires_at, choice: 'never' } as const;
    expect(toUpdateInput({ ...draft, expires_at: never }, stored, now)).toEqual({
      expires_at: null,
    });
    const later = { ...draft.expires_at, choice: '30' } as const;
    expect(toUpdateInput({ ...draft, expires_at: later }, stored, now)).toEqual({
      expires_at: '2026-12-20T12:00:00.000+00:00',
    });
  });

  test('removing a scope keeps the scope that it implied', () => {
    const { scopes, ...rest } = draftFromApiKey(stored);
    const draft: ApiKeyDraft = { ...rest, scopes: { ...scopes, limited: ['webhooks:read'] } };
    expect(toUpdateInput(draft, stored, now)).toEqual({ scopes: ['webhooks:read'] });
  });

  test('a full key can be limited to chosen scopes and set back to all, including future ones', () => {
    const full: ApiKey = { ...stored, type: 'full', scopes: allScopes };
    const { scopes, ...rest } = draftFromApiKey(full);
    const chosen: ApiKeyDraft = {
      ...rest,
      hasAllScopes: false,
      scopes: { ...scopes, full: ['messages:write'] },
    };
    expect(toUpdateInput(chosen, full, now)).toEqual({ scopes: ['messages:write'] });
    const narrow: ApiKey = { ...full, scopes: ['messages:write'] };
    const all: ApiKeyDraft = { ...draftFromApiKey(narrow), hasAllScopes: true };
    expect(toUpdateInput(all, narrow, now)).toEqual({ scopes: null });
  });
});
