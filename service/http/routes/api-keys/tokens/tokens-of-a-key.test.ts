import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { KeyCalls } from '../../../../testing/api-keys/key-calls.ts';
import { keyWithTokens } from '../../../../testing/api-keys/key-with-tokens.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('the tokens of a key', () => {
  test('are shown while they are valid, newest first, by one key and in the list', async () => {
    const key = await account.key();
    await useToken(api, key.token);
    const usedAt = ctx.clock.apiTime();
    ctx.clock.advance(hourMs);
    const rotatedAt = ctx.clock.apiTime();
    const second = tokenOf(await keys.rotate(key.id));
    const byOwner = { kind: 'person', id: expect.any(String), name: 'Ida owner' };
    const byKey = { kind: 'api_key', id: expect.any(String), name: 'Production server' };
    const shown = [
      {
        id: expect.any(Number),
        last_four: lastFour(second),
        created_at: rotatedAt,
        created_by: byKey,
        valid_until: null,
        last_used_at: null,
        last_used_ip: null,
        last_used_user_agent: null,
        unconfirmed: null,
      },
      {
        id: expect.any(Number),
        last_four: key.lastFour,
        created_at: expect.any(String),
        created_by: byOwner,
        valid_until: ctx.clock.apiTime(24 * hourMs),
        last_used_at: usedAt,
        last_used_ip: '203.0.113.7',
        last_used_user_agent: null,
        unconfirmed: null,
      },
    ];
    expect((await keys.read(key.id)).tokens).toEqual(shown);
    expect((await keys.find(key.id)).tokens).toEqual(shown);
    ctx.clock.advance(dayMs);
    expect((await keys.read(key.id)).tokens).toEqual([shown[0]]);
  });

  test('each say when, from where and with which user agent they were used last, at once', async () => {
    const key = await account.key();
    const use = async (usedToken: string, address: string, agent: string) => {
      ctx.clock.advance(1000);
      const headers = { 'x-client-address': address, 'User-Agent': agent };
      await api.as(usedToken).get('/api/v1/api-key', headers);
      return {
        last_used_at: ctx.clock.apiTime(),
        last_used_ip: address,
        last_used_user_agent: agent,
      };
    };
    await use(key.token, '203.0.113.8', 'bot/0.9');
    const ofOld = await use(key.token, '203.0.113.8', 'bot/1.0');
    const second = tokenOf(await keys.rotate(key.id));
    const ofNew = await use(second, '203.0.113.9', 'bot/2.0');
    await ctx.usage.flush();
    expect((await keys.read(key.id)).tokens).toMatchObject([ofNew, ofOld]);

    const client = api.as(second);
    const now = await client.get('/api/v1/api-key', { 'User-Agent': 'bot/2.1' });
    expect(dataOf<ApiKey>(now).tokens[0]).toMatchObject({ last_used_user_agent: 'bot/2.1' });
  });

  test('are none once the key is revoked or expired', async () => {
    const revoked = await account.key();
    await keys.rotate(revoked.id);
    await keys.revoke(revoked.id);
    expect((await keys.read(revoked.id)).tokens).toEqual([]);
    const expiring = await account.key({ expiresAt: ctx.clock.apiTime(hourMs) });
    await keys.rotate(expiring.id);
    ctx.clock.advance(hourMs);
    expect((await keys.read(expiring.id)).tokens).toEqual([]);
  });
});

describe('ending one token', () => {
  test('ends it at once, and no other', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 4 });
    const [, , second] = (await keys.read(key.id)).tokens;
    expect(await statusesOf(api, tokens)).toEqual([200, 200, 200, 200]);
    const response = await keys.endToken(key.id, second?.id);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await statusesOf(api, tokens)).toEqual([200, 401, 200, 200]);
    expect(await lastEntry(key.uuid)).toMatchObject({
      action: 'api_key.token_ended',
      changes: { last_four: second?.last_four },
    });
  });

  test('is refused for the newest, with what to do instead', async () => {
    const key = await account.key();
    const [newest] = (await keys.read(key.id)).tokens;
    const response = await keys.endToken(key.id, newest?.id);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      token: [
        'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
      ],
    });
    expect(await statusesOf(api, [key.token])).toEqual([200]);
  });

  test('is 404 for a token that has ended, belongs to another key or does not exist', async () => {
    const { key } = await keyWithTokens(ctx, account, { count: 2 });
    const [, older] = (await keys.read(key.id)).tokens;
    const { key: other } = await keyWithTokens(ctx, account, { count: 2 });
    const [, others] = (await keys.read(other.id)).tokens;
    expect((await keys.endToken(key.id, others?.id)).status).toBe(404);
    expect((await keys.endToken(key.id, older?.id)).status).toBe(204);
    for (const id of [older?.id, 2_000_000_000, 0, -1, 'last', key.uuid]) {
      expect((await keys.endToken(key.id, id)).status).toBe(404);
    }
    ctx.clock.advance(dayMs);
    expect((await keys.endToken(other.id, others?.id)).status).toBe(404);
  });

  test('is 404 for the tokens of a revoked key', async () => {
    const { key } = await keyWithTokens(ctx, account, { count: 2 });
    const { tokens } = await keys.read(key.id);
    await keys.revoke(key.id);
    for (const { id } of tokens) expect((await keys.endToken(key.id, id)).status).toBe(404);
  });

  test('is refused to a token in its grace period, and for a key that reaches further', async () => {
    const { key } = await keyWithTokens(ctx, account, { count: 2 });
    const [, older] = (await keys.read(key.id)).tokens;
    expect((await keys.as(key.token).endToken(key.id, older?.id)).status).toBe(403);
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await keys.as(narrow.token).endToken(key.id, older?.id)).status).toBe(403);
  });

  test('before the newest ends only that one, and the one before it is next', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 3 });
    for (const valid of [
      [200, 401, 200],
      [401, 401, 200],
    ]) {
      expect((await keys.endPreviousToken(key.id)).status).toBe(204);
      expect(await statusesOf(api, tokens)).toEqual(valid);
    }
    expect((await keys.endPreviousToken(key.id)).status).toBe(404);
  });
});

describe('a token in its grace period', () => {
  test.each(publicRoutes.map((route) => [route.method, route.path, route] as const))(
    'can do everything except manage keys: %s %s',
    async (_method, path, { name: route, method, access, body }) => {
      const { key } = await keyWithTokens(ctx, account, { count: 2 });
      const here = path.replaceAll(/\{\w+\}/g, (name) =>
        name === '{apiKey}' ? String(key.id) : '2000000000',
      );
      const response = await key.call(method, here, {
        body: body && exampleOf(body),
      });
      const managesKeys =
        (typeof access === 'object' && access.scope === 'api-keys:manage') ||
        route === 'rotateCallingApiKey';
      if (managesKeys) expect(response.status).toBe(403);
      else expect(response.status).not.toBe(403);
    },
  );

  test('manages webhooks until it ends: a planned rotation breaks no integration', async () => {
    const { key } = await keyWithTokens(ctx, account, { count: 2 });
    const client = key;
    const input = { name: 'Hook', url: 'https://example.com/hook', events: ['message.created'] };
    const made = await client.post('/api/v1/webhooks', input);
    const path = `/api/v1/webhooks/${dataOf(made).id}`;
    const statuses = [
      made.status,
      (await client.patch(path, { url: 'https://example.com/other' })).status,
      (await client.post(`${path}/regenerate-secret`)).status,
      (await client.delete(path)).status,
    ];
    expect(statuses).toEqual([201, 200, 201, 204]);
    ctx.clock.advance(dayMs);
    expect((await client.get('/api/v1/webhooks')).status).toBe(401);
  });
});

describe('the person or key to whom a token was shown', () => {
  test('is recorded with it: the creator of the key, and whoever rotated it', async () => {
    const owner = await account.member('owner');
    const made = await keys.create({ name: 'Shown', type: 'bot' });
    const { id, uuid } = dataOf<ApiKey>(made);
    await rotateApiKey(ctx, owner, { apiKey: uuid });
    const tokens = await ctx.db.query.apiKeyTokens.findMany({
      where: eq(apiKeyTokens.apiKeyId, id),
      orderBy: (row, { asc }) => asc(row.id),
    });
    expect(tokens.map(({ shownTo }) => shownTo)).toEqual([
      { kind: 'api_key', id: expect.any(String), name: 'Production server' },
      { kind: 'person', id: owner.personId, name: 'Ida owner' },
    ]);
  });
});

function exampleOf(schema: z.ZodType): unknown {
  const { examples } = (schema.meta() ?? {}) as { examples?: unknown[] };
  return examples?.[0];
}

async function lastEntry(keyUuid: string) {
  const entries = await auditEntriesOf(ctx, account.id);
  return entries.findLast(({ target }) => target.id === keyUuid);
}
