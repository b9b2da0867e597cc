import { describe, expect, test } from 'vitest';
import { isTokenValid, isWithinReach, planRotation, scopesOfKey } from './rules.ts';
import type { Reach } from './rules.ts';
import type { ApiKeyRow, TokenRow } from './store.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const hour = 3_600_000;
const day = 24 * hour;
const after = (ms: number) => new Date(now.getTime() + ms);

describe('rotation', () => {
  const ordinary = { now, graceSeconds: 86_400, keyExpiresAt: null };

  test('gives the used newest token the grace period', () => {
    const plan = planRotation([token(1, { used: true })], ordinary);
    expect(plan.endings).toEqual([{ tokenId: 1, lastFour: 'tok1', validUntil: after(day) }]);
    expect(plan.previous).toEqual({ lastFour: 'tok1', validUntil: after(day) });
  });

  test('gives a never used token the grace period too when nothing older is valid', () => {
    expect(planRotation([token(1)], ordinary).previous?.validUntil).toEqual(after(day));
  });

  test('during a grace replaces the newest at once if it was never used, and the older keeps its deadline', () => {
    const plan = planRotation(
      [token(2), token(1, { used: true, until: after(5 * hour) })],
      ordinary,
    );
    expect(plan.endings).toEqual([{ tokenId: 2, lastFour: 'tok2', validUntil: now }]);
    expect(plan.previous).toEqual({ lastFour: 'tok1', validUntil: after(5 * hour) });
    expect(plan.replacedUnused).toEqual({ lastFour: 'tok2' });
  });

  test('during a grace ends the oldest if the newest was used', () => {
    const plan = planRotation(
      [token(2, { used: true }), token(1, { used: true, until: after(5 * hour) })],
      ordinary,
    );
    expect(plan.endings).toEqual([
      { tokenId: 2, lastFour: 'tok2', validUntil: after(day) },
      { tokenId: 1, lastFour: 'tok1', validUntil: now },
    ]);
  });

  test('with a grace of 0 ends every older token at once, used or not', () => {
    const plan = planRotation([token(2), token(1, { until: after(hour) })], {
      ...ordinary,
      graceSeconds: 0,
    });
    expect(plan.endings.map(({ validUntil }) => validUntil)).toEqual([now, now]);
    expect(plan.previous).toBeNull();
  });

  test('never lets a grace outlive the key', () => {
    const plan = planRotation([token(1, { used: true })], {
      ...ordinary,
      keyExpiresAt: after(hour),
    });
    expect(plan.previous?.validUntil).toEqual(after(hour));
  });

  test.each([1, 2, 3])('leaves at most one older token valid, out of %i', (count) => {
    for (const used of [true, false]) {
      const tokens = Array.from({ length: count }, (_, index) =>
        token(count - index, { used, ...(index > 0 && { until: after(hour) }) }),
      );
      const ended = new Map(
        planRotation(tokens, ordinary).endings.map((ending) => [ending.tokenId, ending.validUntil]),
      );
      const stillValid = tokens.filter(({ id, validUntil }) => {
        const end = ended.get(id) ?? validUntil;
        return end === null || end > now;
      });
      expect(stillValid).toHaveLength(1);
    }
  });
});

describe('a token opens nothing', () => {
  test.each([
    ['when its key is revoked', { revokedAt: now }, null, false],
    ['from the moment its key expires', { expiresAt: now }, null, false],
    ['from the moment its grace ends', {}, now, false],
    ['once its key expired during its grace', { expiresAt: now }, after(hour), false],
  ])('%s', (_when, keyState, validUntil, valid) => {
    expect(isTokenValid({ key: key(keyState), token: { validUntil } }, now)).toBe(valid);
  });

  test('but does in its grace and before its key expires', () => {
    const record = { key: key({ expiresAt: after(1) }), token: { validUntil: after(1) } };
    expect(isTokenValid(record, now)).toBe(true);
  });
});

describe('the reach of a key', () => {
  const limited: Reach = {
    type: 'limited',
    scopes: ['api-keys:manage', 'webhooks:manage'],
    expiresAt: null,
    allowedCidrs: [],
  };

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
  ])('%s', (_what, inner, outer, within) => {
    expect(isWithinReach({ ...limited, ...inner }, { ...limited, ...outer })).toBe(within);
  });

  test('with all scopes, future ones included, is not within all scopes of today spelled out', () => {
    const everything: Reach = { ...limited, type: 'full', scopes: null };
    const today: Reach = { ...limited, type: 'full', scopes: scopesOfKey(everything) };
    expect(isWithinReach(everything, today)).toBe(false);
    expect(isWithinReach(today, everything)).toBe(true);
    expect(isWithinReach(everything, everything)).toBe(true);
  });
});

function token(id: number, state: { used?: boolean; until?: Date } = {}): TokenRow {
  return {
    accountId: 'a',
    apiKeyId: 1,
    id,
    digest: Buffer.alloc(32),
    lastFour: `tok${id}`,
    createdAt: after(-day),
    createdBy: { kind: 'system', id: null, name: 'Test' },
    validUntil: state.until ?? null,
    firstUsedAt: state.used ? after(-hour) : null,
    lastUsedAt: state.used ? after(-hour) : null,
    lastUsedIp: null,
    lastUsedAgent: null,
  };
}

function key(state: Partial<ApiKeyRow>): ApiKeyRow {
  return {
    accountId: 'a',
    id: 1,
    uuid: '00000000-0000-4000-8000-000000000000',
    name: 'Key',
    type: 'full',
    scopes: null,
    allowedCidrs: [],
    expiresAt: null,
    createdAt: after(-day),
    createdBy: { kind: 'system', id: null, name: 'Test' },
    updatedAt: after(-day),
    revokedAt: null,
    revokedReason: null,
    revokedBy: null,
    ...state,
  };
}
