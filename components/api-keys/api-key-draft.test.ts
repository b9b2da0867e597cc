import { describe, expect, test } from 'vitest';

import {
  type ApiKeyDraft,
  emptyDraft,
  errorsOfDetails,
  errorsOfDraft,
  inputOfDraft,
  scopesOfDraft,
} from './api-key-draft.ts';

const now = new Date('2026-11-20T12:00:30Z');
const filled: ApiKeyDraft = { ...emptyDraft, name: 'Portal', scopes: ['webhooks:manage'] };

describe('inputOfDraft', () => {
  test('leaves out what was not asked for', () => {
    expect(inputOfDraft(filled, now)).toEqual({
      name: 'Portal',
      type: 'limited',
      scopes: ['webhooks:manage'],
    });
  });

  test('names no scopes for a full key, so that it also gets those to come', () => {
    expect(inputOfDraft({ ...filled, type: 'full' }, now)).toEqual({
      name: 'Portal',
      type: 'full',
    });
  });

  test('ends a key at the whole minute that was shown', () => {
    const { expires_at } = inputOfDraft({ ...filled, expiry: { choice: '30', date: '' } }, now);
    expect(expires_at).toBe('2026-12-20T12:00:00.000+00:00');
  });

  test('drops networks nobody wrote', () => {
    const networks = [
      { id: 1, text: ' 203.0.113.0/24 ' },
      { id: 2, text: '  ' },
    ];
    expect(inputOfDraft({ ...filled, networks }, now).allowed_cidrs).toEqual(['203.0.113.0/24']);
  });
});

test('a scope ticked for one type is not carried into another that may not hold it', () => {
  expect(scopesOfDraft({ ...filled, type: 'bot' })).toEqual([]);
  expect(scopesOfDraft({ ...filled, type: 'webhook' })).toEqual(['webhooks:manage']);
});

test('a draft says by itself what is missing', () => {
  expect(errorsOfDraft(filled, now)).toEqual({});
  const past = { choice: 'date', date: '2020-01-01T00:00' } as const;
  expect(Object.keys(errorsOfDraft({ ...emptyDraft, expiry: past }, now))).toEqual([
    'name',
    'scopes',
    'expires_at',
  ]);
});

test('the service’s messages go to their fields, and none is lost', () => {
  expect(errorsOfDetails({ name: ['Too long.'], body: ['At most 200 keys.'] })).toEqual({
    errors: { name: 'Too long.' },
    rest: ['At most 200 keys.'],
  });
});
