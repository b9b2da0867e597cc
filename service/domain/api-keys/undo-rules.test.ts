import { describe, expect, test } from 'vitest';
import { isUnconfirmed, tokenRestoredByUndo, undoTokenIdOf } from './rules.ts';
import type { TokenRow } from './store/tokens.ts';

const madeAt = new Date('2026-11-20T12:00:00Z');
const end = new Date('2026-11-21T12:00:00Z');

describe('a token is unconfirmed', () => {
  test.each([
    ['while it was only shown', { unconfirmedSince: madeAt }, true],
    ['no longer once the person confirmed it', { unconfirmedSince: null }, false],
    ['no longer once it was used', { unconfirmedSince: madeAt, firstUsedAt: end }, false],
  ])('%s', (_, state, expected) => {
    expect(isUnconfirmed(token(1, state))).toBe(expected);
  });
});

describe('undoing a rotation restores', () => {
  const older = token(1, { firstUsedAt: madeAt, validUntil: end });
  const newest = token(2, { unconfirmedSince: madeAt, undoTokenId: 1 });
  test.each([
    ['the token before the newest', [newest, older], older],
    [
      'it beside a token that is older still',
      [newest, older, token(0, { validUntil: end })],
      older,
    ],
    ['none that has ended', [newest], null],
    ['none if the newest was used', [{ ...newest, firstUsedAt: end }, older], null],
    ['none if the newest was confirmed', [{ ...newest, unconfirmedSince: null }, older], null],
    ['none if the rotation is not to be undone', [{ ...newest, undoTokenId: null }, older], null],
    ['none of a key that was never rotated', [{ ...newest, undoTokenId: null }], null],
  ])('%s', (_, tokens, expected) => {
    expect(tokenRestoredByUndo(tokens)).toBe(expected);
  });
});

describe('a rotation can be undone to', () => {
  const used = token(5, { firstUsedAt: madeAt });
  const lost = token(6, { unconfirmedSince: madeAt, undoTokenId: 5 });
  const kept = { token: token(4, { validUntil: end }), validUntil: end };
  test.each([
    ['the token that it gives a deadline', [{ token: used, validUntil: end }, kept], null, 5],
    ['none if it ends that token at once', [{ token: used, validUntil: null }], null, null],
    [
      'the token before one that nobody had and that it replaces',
      [{ token: lost, validUntil: null }, kept],
      lost,
      5,
    ],
    [
      'none if it replaces one that somebody had',
      [{ token: { ...lost, undoTokenId: null }, validUntil: null }, kept],
      { ...lost, undoTokenId: null },
      null,
    ],
  ])('%s', (_, tokenOutcomes, replacedUnused, expected) => {
    expect(undoTokenIdOf({ tokenOutcomes, replacedUnused })).toBe(expected);
  });
});

function token(id: number, state: Partial<TokenRow>): TokenRow {
  return {
    accountId: 'a',
    apiKeyId: 1,
    id,
    digest: Buffer.alloc(32),
    lastFour: `tok${id}`,
    createdAt: madeAt,
    createdBy: { kind: 'person', id: 'ida', name: 'Ida' },
    replacedUnusedAt: null,
    shownTo: { kind: 'person', id: 'ida', name: 'Ida' },
    unconfirmedSince: null,
    unconfirmedMailedAt: null,
    undoTokenId: null,
    validUntil: null,
    firstUsedAt: null,
    lastUsedAt: null,
    lastUsedIp: null,
    lastUsedAgent: null,
    ...state,
  };
}
