import { expect, test } from 'vitest';
import { sampleApiKeyToken } from '#lib/contract/samples.ts';
import { lastToExpire, olderTokens } from './older-tokens.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const newest = token(3, null);
const used = token(2, '2026-11-20T14:00:00.000+00:00');
const old = token(1, '2026-11-21T12:00:00.000+00:00');

test('the newest token is not listed', () => {
  expect(olderTokens({ tokens: [newest] }, now)).toEqual([]);
  expect(olderTokens({ tokens: [] }, now)).toEqual([]);
});

test('each older token says when the one after it was made', () => {
  expect(olderTokens({ tokens: [newest, used, old] }, now)).toEqual([
    { ...used, replaced_at: newest.created_at },
    { ...old, replaced_at: used.created_at },
  ]);
});

test('a token that ended since the key was read is not listed', () => {
  const tokens = [newest, used, old];
  const at = (time: string) => olderTokens({ tokens }, new Date(time)).map(({ id }) => id);
  expect(at('2026-11-20T13:59:59.999Z')).toEqual([2, 1]);
  expect(at('2026-11-20T14:00:00.000Z')).toEqual([1]);
  expect(at('2026-11-21T12:00:00.000Z')).toEqual([]);
});

test('the last to end has the latest deadline, even if it is not the newest', () => {
  expect(lastToExpire(olderTokens({ tokens: [newest, used, old] }, now))?.id).toBe(1);
  expect(lastToExpire([])).toBeUndefined();
});

function token(id: number, validUntil: string | null) {
  return {
    ...sampleApiKeyToken,
    created_by: { ...sampleApiKeyToken.created_by, kind: 'person' as const },
    shown_to: null,
    id,
    created_at: `2026-11-20T10:00:0${id}.000+00:00`,
    valid_until: validUntil,
  };
}
