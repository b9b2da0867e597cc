import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { digestToken } from '../../../../tokens/token.ts';
import { KeyCalls } from '../../../../testing/api-keys/key-calls.ts';
import { keyWithTokens } from '../../../../testing/api-keys/key-with-tokens.ts';
import { lastFour, statusesOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, owner, viewer, caller } = useApi();
const keys = new KeyCalls(caller);

describe('the tokens of a key', () => {
  test('are shown while they are valid, newest first, by one key and in the list', async () => {
    const key = await account.key();
    const { tokens: first } = await keys.read(key.id);
    await useToken(api, key.token);
    const usedAt = ctx.clock.apiTime();
    ctx.clock.advance(hourMs);
    const rotatedAt = ctx.clock.apiTime();
    const second = await keys.newToken(key.id);
    const validUntil = ctx.clock.apiTime(dayMs);
    const newest = {
      id: expect.any(Number),
      last_four: lastFour(second),
      created_at: rotatedAt,
      created_by: { kind: 'api_key', id: caller.uuid, name: 'Production server' },
      shown_to: { kind: 'api_key', id: caller.uuid, name: 'Production server' },
      valid_until: null,
      last_used_at: null,
      last_used_ip: null,
      last_used_user_agent: null,
      unconfirmed: null,
    };
    const older = {
      ...first[0],
      valid_until: validUntil,
      last_used_at: usedAt,
      last_used_ip: '203.0.113.7',
      // It was shown to the owner until it was used.
      unconfirmed: null,
    };
    for (const shown of [await keys.read(key.id), await keys.find(key.id)]) {
      expect(shown).toMatchObject({
        status: 'rotating',
        previous_token: {
          last_four: key.lastFour,
          replaced_at: rotatedAt,
          valid_until: validUntil,
        },
      });
      expect(shown.tokens).toEqual([newest, older]);
    }
    ctx.clock.advance(dayMs);
    for (const shown of [await keys.read(key.id), await keys.find(key.id)]) {
      expect(shown).toMatchObject({ status: 'active', previous_token: null, tokens: [newest] });
    }
    await keys.change(key.id, { expires_at: ctx.clock.apiTime(hourMs) });
    ctx.clock.advance(hourMs);
    expect((await keys.read(key.id)).tokens).toEqual([]);
  });

  test('each say when, from where and with which user agent they were used last, immediately', async () => {
    const key = await account.key();
    const use = async (token: string, address: string, agent: string) => {
      ctx.clock.advance(1000);
      const headers = { 'x-client-address': address, 'User-Agent': agent };
      const response = await api.as(token).get('/api/v1/api-key', headers);
      const used = {
        last_used_at: ctx.clock.apiTime(),
        last_used_ip: address,
        last_used_user_agent: agent,
      };
      const ofToken = dataOf<ApiKey>(response).tokens.find(
        ({ last_four }) => last_four === lastFour(token),
      );
      expect(ofToken).toMatchObject(used);
      return used;
    };
    await use(key.token, '203.0.113.8', 'bot/0.9');
    const ofOld = await use(key.token, '203.0.113.8', 'bot/1.0');
    const second = await keys.newToken(key.id);
    await use(second, '203.0.113.9', 'bot/2.0');
    const ofNew = await use(second, '203.0.113.9', 'bot/2.1');
    await ctx.usage.flush();
    expect((await keys.read(key.id)).tokens).toMatchObject([ofNew, ofOld]);
  });

  test('record to whom they were shown: the creator of the key, and the person who rotated it', async () => {
    const { id } = dataOf<ApiKey>(await keys.create({ name: 'Shown', type: 'bot' }));
    await rotateApiKey(ctx, owner, { apiKey: String(id) });
    const rows = await ctx.db.query.apiKeyTokens.findMany({
      where: eq(apiKeyTokens.apiKeyId, id),
      orderBy: apiKeyTokens.id,
    });
    expect(rows.map(({ shownTo }) => shownTo)).toEqual([
      { kind: 'api_key', id: caller.uuid, name: 'Production server' },
      { kind: 'person', id: owner.personId, name: 'Ida owner' },
    ]);
  });
});

describe('ending one token', () => {
  test('ends it immediately, and no other', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 4 });
    const [, , second] = (await keys.read(key.id)).tokens;
    expect(await statusesOf(api, tokens)).toEqual([200, 200, 200, 200]);
    const response = await keys.endToken(key.id, second?.id);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await statusesOf(api, tokens)).toEqual([200, 401, 200, 200]);
    const entries = await auditEntriesOf(ctx, account.id);
    expect(entries.at(-1)).toMatchObject({
      action: 'api_key.token_ended',
      target: { id: key.uuid },
      changes: { last_four: second?.last_four },
    });
  });

  test('is refused for the newest, with what to do instead', async () => {
    const key = await account.key();
    const [newest] = (await keys.read(key.id)).tokens;
    expect(detailsOf(await keys.endToken(key.id, newest?.id))).toEqual({
      token: [
        'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
      ],
    });
    expect(await statusesOf(api, [key.token])).toEqual([200]);
  });

  test('is 404 for a token that has ended, belongs to another key or to a revoked one, or does not exist', async () => {
    const twoTokens = async () => {
      const { key } = await keyWithTokens(ctx, account, { count: 2 });
      const [newest, older] = (await keys.read(key.id)).tokens;
      return { id: key.id, newest: newest?.id, older: older?.id };
    };
    const [one, other, revoked] = [await twoTokens(), await twoTokens(), await twoTokens()];
    await keys.revoke(revoked.id);
    expect((await keys.endToken(one.id, one.older)).status).toBe(204);
    for (const [id, token] of [
      [one.id, other.older],
      ...[one.older, 2_000_000_000, 0, -1, 'last'].map((none) => [one.id, none] as const),
      [revoked.id, revoked.newest],
      [revoked.id, revoked.older],
    ] as const) {
      expect((await keys.endToken(id, token)).status, String(token)).toBe(404);
    }
    ctx.clock.advance(dayMs);
    expect((await keys.endToken(other.id, other.older)).status).toBe(404);
  });
});

describe('ending the token before the newest', () => {
  test('ends only that one, immediately, and the one before it is next', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 3 });
    expect(await statusesOf(api, tokens)).toEqual([200, 200, 200]);
    for (const valid of [
      [200, 401, 200],
      [401, 401, 200],
    ]) {
      expect((await keys.endPreviousToken(key.id)).status).toBe(204);
      expect(await statusesOf(api, tokens)).toEqual(valid);
    }
    expect(await keys.find(key.id)).toMatchObject({ status: 'active', previous_token: null });
    expect((await keys.endPreviousToken(key.id)).status).toBe(404);
  });

  test('is 404 once the key is revoked or expired', async () => {
    const [revoked, expired] = [await account.key(), await account.key()];
    for (const key of [revoked, expired]) await keys.rotate(key.id);
    await keys.revoke(revoked.id);
    await keys.change(expired.id, { expires_at: ctx.clock.apiTime(1000) });
    ctx.clock.advance(1000);
    for (const { id } of [revoked, expired]) {
      expect((await keys.endPreviousToken(id)).status).toBe(404);
    }
  });
});

describe('the digest of a token finds its key in the account, and says', () => {
  const findToken = async (token: string) =>
    dataOf(
      await viewer.post('/api/dashboard/api-keys/token-searches', {
        token_digest: digestToken(token).toString('hex'),
      }),
    );

  test('that it works, until when, and when it ended', async () => {
    const key = await account.key();
    const found = { valid_until: null, api_key: { uuid: key.uuid } };
    expect(await findToken(key.token)).toMatchObject({ ...found, state: 'live' });
    await keys.rotate(key.id, { grace_period_seconds: 3600 });
    const until = { ...found, valid_until: ctx.clock.apiTime(hourMs) };
    expect(await findToken(key.token)).toMatchObject({ ...until, state: 'grace' });
    ctx.clock.advance(hourMs);
    expect(await findToken(key.token)).toMatchObject({ ...until, state: 'ended' });
    await keys.revoke(key.id);
    expect(await findToken(key.token)).toMatchObject({ ...until, state: 'ended' });
  });

  test('that its key was revoked or has expired, and when', async () => {
    const end = ctx.clock.apiTime(hourMs);
    const expiring = await account.key({ expiresAt: end });
    const revoked = await account.key();
    const revokedAt = ctx.clock.apiTime();
    await keys.revoke(revoked.id);
    ctx.clock.advance(hourMs);
    for (const [{ token }, state, at] of [
      [revoked, 'revoked', revokedAt],
      [expiring, 'expired', end],
    ] as const) {
      expect(await findToken(token)).toMatchObject({ state, valid_until: at });
    }
  });

  test('that it ended, also of a token that nobody used and another took the place of', async () => {
    const key = await account.key();
    const repeated = { apiKey: key.uuid, idempotencyKey: 'lost-response' };
    const { token: lost } = await rotateApiKey(ctx, owner, repeated);
    await rotateApiKey(ctx, owner, repeated);
    expect(await findToken(lost)).toMatchObject({
      state: 'ended',
      valid_until: ctx.clock.apiTime(),
      last_four: lost.slice(-4),
      api_key: { uuid: key.uuid },
    });
  });

  test('that no key has it, no matter what its last four characters are, or if it belongs to another account', async () => {
    const unknown = { state: 'unknown', api_key: null, valid_until: null, last_four: null };
    const alike = `sk_live_${'a'.repeat(34)}${caller.token.slice(-4)}`;
    const other = await (await api.account()).key();
    for (const token of [alike, other.token]) expect(await findToken(token)).toEqual(unknown);
  });
});
