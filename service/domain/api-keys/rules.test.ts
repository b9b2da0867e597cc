import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { LimitConfig } from '../../limiter/limits.ts';
import {
  findCidrProblems,
  isAddressAllowed,
  isTokenValid,
  isWithinReach,
  maxValidTokens,
  parseCidrs,
  planRotation,
  scopesOfKey,
  tokenRestoredByUndo,
  undoTokenIdOf,
  type Reach,
  type RotationPlan,
} from './rules.ts';
import type { TokenRow } from './store/tokens.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);

describe('a rotation', () => {
  const T2 = (state: TokenState = {}) => token(2, state);
  const T1 = (state: TokenState = {}) => token(1, state);
  type About = { graceSeconds?: number; keyExpiresAt?: Date };
  /** By last four, until when each token stays valid; `now`: it ends immediately. */
  type Ends = Record<string, Date | 'now'>;

  test.each<[what: string, tokens: TokenRow[], about: About, ends: Ends]>([
    ['gives the newest token the grace period', [T1({ used: true })], {}, { tok1: after(dayMs) }],
    ['gives it to one that was never used as well', [T1()], {}, { tok1: after(dayMs) }],
    [
      'keeps what an earlier one promised an older token',
      [T2({ used: true }), T1({ used: true, until: after(5 * hourMs) })],
      {},
      { tok2: after(dayMs), tok1: after(5 * hourMs) },
    ],
    [
      'keeps a promise that is longer than its own grace period',
      [T2({ used: true }), T1({ until: after(6 * dayMs) })],
      { graceSeconds: 60 },
      { tok2: after(60_000), tok1: after(6 * dayMs) },
    ],
    [
      'replaces the newest immediately if it is unconfirmed and an older one is still valid',
      [T2({ unconfirmed: true }), T1({ used: true, until: after(5 * hourMs) })],
      {},
      { tok2: 'now', tok1: after(5 * hourMs) },
    ],
    [
      'gives the grace period to one that is confirmed and was never used',
      [T2(), T1({ used: true, until: after(5 * hourMs) })],
      {},
      { tok2: after(dayMs), tok1: after(5 * hourMs) },
    ],
    [
      'gives it to one that was used before anyone confirmed it',
      [T2({ unconfirmed: true, used: true }), T1({ until: after(5 * hourMs) })],
      {},
      { tok2: after(dayMs), tok1: after(5 * hourMs) },
    ],
    [
      'keeps every older deadline when it replaces the newest',
      [
        token(3, { unconfirmed: true }),
        T2({ until: after(hourMs) }),
        T1({ until: after(2 * hourMs) }),
      ],
      {},
      { tok3: 'now', tok2: after(hourMs), tok1: after(2 * hourMs) },
    ],
    [
      'with a grace period of 0 ends every older token immediately, used or not',
      [T2(), T1({ used: true, until: after(hourMs) })],
      { graceSeconds: 0 },
      { tok2: 'now', tok1: 'now' },
    ],
    [
      'never lets a grace period outlive the key',
      [T1({ used: true })],
      { keyExpiresAt: after(hourMs) },
      { tok1: after(hourMs) },
    ],
    [
      'says that an older token ends with the key, if that comes first',
      [T2({ used: true }), T1({ until: after(5 * hourMs) })],
      { keyExpiresAt: after(hourMs) },
      { tok2: after(hourMs), tok1: after(hourMs) },
    ],
  ])('%s', (_what, tokens, about, ends) => {
    expect(endsOf(plan(tokens, about))).toEqual(ends);
  });

  test.each<
    [count: number, unconfirmed: boolean, graceSeconds: number, kind: RotationPlan['kind']]
  >([
    [maxValidTokens - 1, false, 3600, 'rotate'],
    [maxValidTokens, false, 3600, 'too_many'],
    [maxValidTokens, true, 3600, 'rotate'],
    [maxValidTokens, false, 0, 'rotate'],
    [maxValidTokens + 5, false, 0, 'rotate'],
    [maxValidTokens + 5, true, 3600, 'rotate'],
  ])('of %i tokens, the newest unconfirmed: %s, with a grace period of %i s: %s', (...row) => {
    const [count, unconfirmed, graceSeconds, kind] = row;
    expect(plan(many(count, { unconfirmed }), { graceSeconds }).kind).toBe(kind);
  });

  test.each<[what: string, lastUses: Record<string, Date | null>, endFirst: string]>([
    ['one that was never used', { tok7: null, tok8: after(-dayMs) }, 'tok7'],
    [
      'the one that was not used for longest',
      { tok7: after(-hourMs), tok8: after(-dayMs) },
      'tok8',
    ],
    ['the oldest of those never used', { tok7: null, tok8: null }, 'tok7'],
    ['never the newest', { [`tok${maxValidTokens}`]: after(-7 * dayMs) }, 'tok1'],
  ])('beyond the limit the token to end first is %s', (_what, lastUses, endFirst) => {
    const tokens = many(maxValidTokens).map((each) => {
      const { [each.lastFour]: lastUsedAt = after(-1) } = lastUses;
      return { ...each, lastUsedAt };
    });
    expect(plan(tokens)).toMatchObject({ kind: 'too_many', endFirst: { lastFour: endFirst } });
  });

  test('names the unconfirmed token it replaces, and no other', () => {
    expect(plan([T2({ unconfirmed: true }), T1({ until: after(hourMs) })])).toMatchObject({
      replacedUnused: { lastFour: 'tok2' },
    });
    for (const made of [plan([T1()]), plan([T2({ used: true }), T1({ until: after(hourMs) })])]) {
      expect(made).toMatchObject({ replacedUnused: null });
    }
  });

  function plan(tokens: TokenRow[], { graceSeconds = 86_400, keyExpiresAt }: About = {}) {
    return planRotation(tokens, { now, graceSeconds, keyExpiresAt: keyExpiresAt ?? null });
  }

  function endsOf(made: RotationPlan): Ends {
    if (made.kind !== 'rotate') throw new Error('nothing is rotated');
    return Object.fromEntries(
      made.tokenOutcomes.map(({ token: { lastFour }, validUntil }) => [
        lastFour,
        validUntil ?? 'now',
      ]),
    );
  }

  function many(count: number, newest: TokenState = {}): TokenRow[] {
    return Array.from({ length: count }, (_, index) =>
      token(count - index, index > 0 ? { used: true, until: after(hourMs) } : newest),
    );
  }
});

describe('undoing a rotation restores', () => {
  const until = after(hourMs);
  const older = token(1, { used: true, until });
  const newest = token(2, { unconfirmed: true, undoTokenId: 1 });

  test.each([
    ['the token before the newest', [newest, older], older],
    ['it beside a token that is older still', [newest, older, token(0, { until })], older],
    ['none that has ended', [newest], null],
    ['none if the newest was used', [{ ...newest, firstUsedAt: now }, older], null],
    ['none if the newest was confirmed', [{ ...newest, unconfirmedSince: null }, older], null],
    ['none if the rotation is not to be undone', [{ ...newest, undoTokenId: null }, older], null],
  ])('%s', (_, tokens, expected) => {
    expect(tokenRestoredByUndo(tokens)).toBe(expected);
  });

  const used = token(5, { used: true });
  const lost = token(6, { unconfirmed: true, undoTokenId: 5 });
  const had = { ...lost, undoTokenId: null };
  const kept = { token: token(4, { until }), validUntil: until };

  test.each([
    ['the token that it gives a deadline', [{ token: used, validUntil: until }, kept], null, 5],
    ['none if it ends that token immediately', [{ token: used, validUntil: null }], null, null],
    [
      'the one before a token that nobody had and that it replaces',
      [{ token: lost, validUntil: null }, kept],
      lost,
      5,
    ],
    ['none if someone had that token', [{ token: had, validUntil: null }, kept], had, null],
  ])('%s, as recorded with the rotation', (_, tokenOutcomes, replacedUnused, expected) => {
    expect(undoTokenIdOf({ tokenOutcomes, replacedUnused })).toBe(expected);
  });
});

describe('a token is invalid', () => {
  test.each([
    ['when its key is revoked', { revokedAt: now }, null, false],
    ['from the moment its key expires', { expiresAt: now }, null, false],
    ['from the moment its grace period ends', {}, now, false],
    ['once its key expired during its grace period', { expiresAt: now }, after(hourMs), false],
    ['never before any of these', { expiresAt: after(1) }, after(1), true],
  ])('%s', (_when, keyState, validUntil, valid) => {
    const key = { revokedAt: null, expiresAt: null, ...keyState };
    expect(isTokenValid({ key, token: { validUntil } }, now)).toBe(valid);
  });
});

describe('the reach of a key', () => {
  const limited: Reach = {
    type: 'limited',
    scopes: ['api-keys:manage', 'webhooks:manage'],
    expiresAt: null,
    allowedCidrs: [],
    rateLimitPerMinute: null,
  };
  const config: LimitConfig = loadConfig({
    RATE_LIMIT_PER_MINUTE: '100',
    RATE_LIMIT_ACCOUNT_PER_MINUTE: '500',
  });

  test.each<[string, Partial<Reach>, Partial<Reach>, boolean]>([
    ['is within itself', {}, {}, true],
    ['counts implied scopes', { scopes: ['webhooks:read'] }, {}, true],
    ['is exceeded by a scope more', { scopes: ['events:read'] }, {}, false],
    ['is exceeded by a later expiry', { expiresAt: after(2) }, { expiresAt: after(1) }, false],
    ['is exceeded by no expiry', { expiresAt: null }, { expiresAt: after(1) }, false],
    ['allows an earlier expiry', { expiresAt: after(1) }, { expiresAt: after(2) }, true],
    ['is exceeded by any address', { allowedCidrs: [] }, { allowedCidrs: ['10.0.0.0/8'] }, false],
    [
      'allows a smaller network',
      { allowedCidrs: ['10.1.0.0/16'] },
      { allowedCidrs: ['10.0.0.0/8'] },
      true,
    ],
    ['is exceeded by more calls', { rateLimitPerMinute: 11 }, { rateLimitPerMinute: 10 }, false],
    ['is exceeded by the usual limit', {}, { rateLimitPerMinute: 99 }, false],
    ['allows the usual limit to be named', { rateLimitPerMinute: 100 }, {}, true],
    [
      'allows what the account cuts',
      { rateLimitPerMinute: 9000 },
      { rateLimitPerMinute: 500 },
      true,
    ],
  ])('%s', (_what, inner, outer, within) => {
    expect(isWithinReach({ ...limited, ...inner }, { ...limited, ...outer }, config)).toBe(within);
  });

  test.each(['webhook', 'bot', 'full'] as const)(
    'of a %s key without a list of scopes, which gets future ones, is not within a list that holds them all today',
    (type) => {
      const inner: Reach = { ...limited, type, scopes: null };
      const everything: Reach = { ...limited, type: 'full', scopes: null };
      const listed: Reach = { ...limited, scopes: scopesOfKey(everything) };
      expect(isWithinReach(inner, listed, config)).toBe(false);
      expect(isWithinReach({ ...inner, scopes: scopesOfKey(inner) }, listed, config)).toBe(true);
      expect(isWithinReach(inner, everything, config)).toBe(true);
      expect(isWithinReach(inner, inner, config)).toBe(true);
    },
  );
});

type TokenState = { used?: boolean; unconfirmed?: boolean; until?: Date; undoTokenId?: number };

function token(id: number, state: TokenState = {}): TokenRow {
  return {
    accountId: 'a',
    apiKeyId: 1,
    id,
    digest: Buffer.alloc(32),
    lastFour: `tok${id}`,
    createdAt: after(-dayMs),
    createdBy: { kind: 'system', id: null, name: 'Test' },
    replacedUnusedAt: null,
    replacedAt: null,
    shownTo: null,
    unconfirmedSince: state.unconfirmed ? after(-dayMs) : null,
    unconfirmedMailedAt: null,
    undoTokenId: state.undoTokenId ?? null,
    validUntil: state.until ?? null,
    firstUsedAt: state.used ? after(-hourMs) : null,
    lastUsedAt: state.used ? after(-hourMs) : null,
    lastUsedIp: null,
    lastUsedAgent: null,
  };
}

test('networks are stored once, in canonical form', () => {
  expect(parseCidrs([' 203.0.113.77/24 ', '203.0.113.0/24'])).toEqual(['203.0.113.0/24']);
});

test.each(['198.51.100.300/32', ''])('%j is refused with a sentence naming it', (text) => {
  expect(findCidrProblems(['10.0.0.0/8', text])).toEqual([
    `"${text}" is not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.`,
  ]);
});

describe('an address is allowed', () => {
  test.each([
    ['anywhere when no network is given', '203.0.113.9', [], true],
    ['inside one network', '10.1.2.3', ['203.0.113.0/24', '10.0.0.0/8'], true],
    ['not outside', '203.0.114.9', ['203.0.113.0/24'], false],
  ])('%s', (_what, address, cidrs, allowed) => {
    expect(isAddressAllowed(address, cidrs)).toBe(allowed);
  });
});
