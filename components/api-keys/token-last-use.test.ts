import { describe, expect, test } from 'vitest';
import { olderTokens } from '#components/shell/states/older-tokens.ts';
import { type ApiKey, apiKey as schema } from '#lib/contract/api-keys/api-key.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';
import { minuteMs } from '#lib/durations.ts';
import { keyLastUse, tokenLastUse, unusedTokensOf, getOlderTokenUse } from './token-last-use.ts';

const replacedAt = '2026-11-20T10:00:00.000+00:00';
const before = '2026-11-20T09:00:00.000+00:00';
const after = '2026-11-20T11:00:00.000+00:00';
const later = '2026-11-20T12:00:00.000+00:00';
const now = new Date('2026-11-20T13:00:00.000Z');

test('each token has an address and a user agent of its own, also after another one was used', () => {
  expect(usesOf(key({ newest: later, older: after }))).toEqual([
    { at: later, from: '203.0.113.7', userAgent: 'agent of 203.0.113.7' },
    { at: after, from: '203.0.113.8', userAgent: 'agent of 203.0.113.8' },
  ]);
  expect(usesOf(key({ newest: null, older: after }))).toEqual([
    { at: null, from: null, userAgent: null },
    { at: after, from: '203.0.113.8', userAgent: 'agent of 203.0.113.8' },
  ]);
});

test('the last use of a key has the user agent of the token that was used', () => {
  const used = {
    ...key({ newest: later, older: after }),
    last_used_at: after,
    last_used_ip: '::1',
  };
  const userAgent = 'agent of 203.0.113.8';
  expect(keyLastUse(used)).toMatchObject({ at: after, from: '::1', userAgent });
  const ended = { ...used, tokens: [] };
  expect(keyLastUse(ended)).toMatchObject({ at: after, from: '::1', userAgent: null });
});

test('of a rotated key that was not used since, the tokens that were never used are named', () => {
  const rotated = { last_four: 'a1b2', last_used_at: null, rotated_at: replacedAt };
  expect(unusedTokensOf({ ...rotated, live_tokens: 1 })).toBe('…a1b2');
  expect(unusedTokensOf({ ...rotated, live_tokens: 0 }), 'a revoked key').toBe('…a1b2');
  expect(unusedTokensOf({ ...rotated, live_tokens: 2 })).toBe('its valid tokens');
  expect(unusedTokensOf({ ...rotated, live_tokens: 1, last_used_at: after })).toBeNull();
  expect(unusedTokensOf({ ...rotated, live_tokens: 1, rotated_at: null })).toBeNull();
  expect(keyLastUse(key({ newest: null, older: null }))).toMatchObject({ unusedTokens: null });
});

describe('an older token', () => {
  const useOf = (uses: { newest: string | null; older: string | null }, at = now) => {
    const apiKey = key(uses);
    return getOlderTokenUse(olderTokens(apiKey, at), { newest: apiKey.tokens[0], now: at }).kind;
  };

  test('counts as still used only if it was used after its replacement', () => {
    expect(useOf({ newest: later, older: before })).toBe('unused');
    expect(useOf({ newest: later, older: null })).toBe('unused');
    expect(useOf({ newest: later, older: after })).toBe('used');
  });

  test('does not count as unused for two minutes after its replacement', () => {
    const at = (ms: number) => new Date(Date.parse(replacedAt) + ms);
    const uses = { newest: replacedAt, older: before };
    expect(useOf(uses, at(2 * minuteMs - 1))).toBe('watching');
    expect(useOf(uses, at(2 * minuteMs))).toBe('unused');
  });

  test('does not count as unused while the new token has no use either', () => {
    expect(useOf({ newest: null, older: before })).toBe('new_unused');
    expect(useOf({ newest: null, older: after })).toBe('used');
  });
});

/** @param newest when the newest token was used last, or null; likewise `older` */
function key({ newest, older }: { newest: string | null; older: string | null }): ApiKey {
  const [first, second] = sampleApiKey.tokens;
  return schema.parse({
    ...sampleApiKey,
    tokens: [
      { ...first, created_at: replacedAt, ...lastUse(newest, '203.0.113.7') },
      { ...second, ...lastUse(older, '203.0.113.8') },
    ],
  });
}

function lastUse(at: string | null, from: string) {
  return {
    last_used_at: at,
    last_used_ip: at === null ? null : from,
    last_used_user_agent: at === null ? null : `agent of ${from}`,
  };
}

function usesOf(apiKey: ApiKey) {
  return apiKey.tokens.map(tokenLastUse);
}
