import { describe, expect, test } from 'vitest';
import type { ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { makeApiKey } from '../testing/make-api-key.ts';
import { findUnconfirmedOptions } from './unconfirmed-token.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ida = { kind: 'person', id: 'ida', name: 'Ida' } as const;
const since = '2026-11-20T11:00:00.000+00:00';
const newest = token('fvTr', { unconfirmed: { since, shown_to: ida, undo_restores: '7RNZ' } });
const older = token('7RNZ', { valid_until: '2026-11-21T11:00:00.000+00:00' });
const rotated = makeApiKey({ tokens: [newest, older] });

const admin = { id: 'ada', mayRotate: true, maySeeToken: true, mayEndTokens: true };
const support = { id: 'sam', mayRotate: true, maySeeToken: true, mayEndTokens: false };
const shownTo = { ...support, id: 'ida' };

describe('the options for an unconfirmed token', () => {
  test.each([
    ['whom it was shown to can do everything', shownTo, [true, true, '7RNZ']],
    ['an owner or admin can do everything but confirm it', admin, [false, true, '7RNZ']],
    ['other support staff can do nothing', support, [false, false, null]],
    [
      'who must not see tokens of the key any more can only confirm it',
      { ...shownTo, maySeeToken: false },
      [true, false, null],
    ],
    [
      'who may rotate nothing any more can do nothing, even if it was shown to them',
      { ...shownTo, mayRotate: false, maySeeToken: false },
      [false, false, null],
    ],
  ])('%s', (_, person, expected) => {
    expect(optionsOf(rotated, person)).toEqual(expected);
  });

  test('a rotation cannot be undone after the old token has ended', () => {
    const later = new Date('2026-11-21T11:00:00Z');
    expect(findUnconfirmedOptions(rotated, { person: admin, now: later }).undoRestores).toBeNull();
  });

  test('there are none if the token is confirmed or the key has ended', () => {
    expect(optionsOf(makeApiKey({ tokens: [token('fvTr', {})] }), shownTo)).toEqual([
      false,
      false,
      null,
    ]);
    expect(optionsOf(makeApiKey({ tokens: [] }), shownTo)).toEqual([false, false, null]);
  });
});

function optionsOf(apiKey: ReturnType<typeof makeApiKey>, person: typeof admin) {
  const options = findUnconfirmedOptions(apiKey, { person, now });
  return [options.canConfirm, options.canReplace, options.undoRestores?.last_four ?? null];
}

function token(lastFour: string, part: Partial<ApiKeyToken>): ApiKeyToken {
  return {
    id: 1,
    last_four: lastFour,
    created_at: since,
    created_by: ida,
    shown_to: null,
    valid_until: null,
    last_used_at: null,
    last_used_ip: null,
    last_used_user_agent: null,
    unconfirmed: null,
    ...part,
  };
}
