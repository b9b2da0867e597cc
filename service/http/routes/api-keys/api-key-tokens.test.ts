import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { publicRoutes } from '#lib/contract/routes.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { digestToken, newToken } from '../../../token.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';

/** A key with several valid tokens: what happens to each, and how one is ended. */
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let token: string;

const save = 'Save this token now; it will not be shown again.';

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  account = await api.account();
  token = (await account.key()).token;
});
afterAll(() => ctx.dispose());

describe('a second rotation', () => {
  test('keeps the deadline that the first one gave the oldest token', async () => {
    const key = await account.key();
    const promised = inHours(24);
    const second = tokenOf(await rotate(key.id));
    await use(second);
    ctx.clock.advance(hourMs);
    const response = await rotate(key.id);

    expect(messageOf(response)).toBe(
      `${save} The older tokens stay valid: the one ending in ${lastFour(second)} for 24 hours, until ${inHours(24)}; the one ending in ${key.lastFour} for 23 hours, until ${promised}.`,
    );
    ctx.clock.advance(23 * hourMs - 1);
    expect(await statuses([key.token, second, tokenOf(response)])).toEqual([200, 200, 200]);
    ctx.clock.advance(1);
    expect(await statuses([key.token, second, tokenOf(response)])).toEqual([401, 200, 200]);
  });

  test('that replaces an unused token says so and adds none', async () => {
    const key = await account.key();
    const second = tokenOf(await rotate(key.id, { grace_period_seconds: 3600 }));
    await use(second);
    const unused = tokenOf(await rotate(key.id, { grace_period_seconds: 7200 }));
    const response = await rotate(key.id);
    expect(messageOf(response)).toBe(
      `${save} The older tokens stay valid: the one ending in ${lastFour(second)} for 2 hours, until ${inHours(2)}; the one ending in ${key.lastFour} for 1 hour, until ${inHours(1)}. The token ending in ${lastFour(unused)}, which was never used, has stopped working.`,
    );
    expect(await statuses([key.token, second, unused, tokenOf(response)])).toEqual([
      200, 200, 401, 200,
    ]);
  });

  test('with a grace period of 0 ends every older token and names each', async () => {
    const key = await account.key();
    const second = tokenOf(await rotate(key.id));
    await use(second);
    const response = await rotate(key.id, { grace_period_seconds: 0 });
    expect(messageOf(response)).toBe(
      `${save} Every older token has stopped working: the ones ending in ${lastFour(second)} and ${key.lastFour}.`,
    );
    expect(await statuses([key.token, second, tokenOf(response)])).toEqual([401, 401, 200]);
  });

  test('is audited with each older token and its end', async () => {
    const key = await account.key();
    const first = inHours(24);
    const second = tokenOf(await rotate(key.id));
    await use(second);
    ctx.clock.advance(hourMs);
    const third = tokenOf(await rotate(key.id, { grace_period_seconds: 7200 }));
    expect(await lastChanges(key.uuid)).toEqual({
      last_four: lastFour(third),
      older_tokens: [
        { last_four: lastFour(second), valid_until: inHours(2) },
        { last_four: key.lastFour, valid_until: first },
      ],
    });
    await use(third);
    const fourth = tokenOf(await rotate(key.id, { grace_period_seconds: 0 }));
    expect(await lastChanges(key.uuid)).toEqual({
      last_four: lastFour(fourth),
      older_tokens: [third, second, key.token].map((ended) => ({
        last_four: lastFour(ended),
        valid_until: inHours(0),
      })),
    });
  });
});

describe('20 valid tokens', () => {
  test('are the maximum: a further rotation says which to end, and changes nothing', async () => {
    const { key, tokens } = await keyWithTokens(20);
    const before = await find(key.id);
    const response = await rotate(key.id);
    expect(response.status).toBe(422);
    const leastUsed = (before['tokens'] as { id: number }[]).at(-1);
    expect(detailsOf(response)).toEqual({
      api_key: [
        `This key has 20 valid tokens, the most it can have. End one first, best the one ending in ${key.lastFour}, which is token ${leastUsed?.id} and was never used. Or rotate with a grace period of 0, which ends every older token.`,
      ],
    });
    expect(await find(key.id)).toEqual(before);
    expect(await statuses(tokens)).toEqual(tokens.map(() => 200));
  });

  test('allow a rotation once one is ended, or if the newest was never used', async () => {
    const { key } = await keyWithTokens(20);
    const oldest = (await tokensOf(key.id)).at(-1);
    expect((await endToken(key.id, oldest?.id)).status).toBe(204);
    expect((await rotate(key.id)).status).toBe(201);
    // The newest token is unused now, so the rotation replaces it and the number of tokens stays
    // the same.
    expect((await rotate(key.id)).status).toBe(201);
    expect(await tokensOf(key.id)).toHaveLength(20);
  });

  test('all end by a rotation with a grace period of 0', async () => {
    const { key, tokens } = await keyWithTokens(20);
    const response = await rotate(key.id, { grace_period_seconds: 0 });
    expect(response.status).toBe(201);
    for (const old of tokens) expect(messageOf(response)).toContain(lastFour(old));
    expect(await tokensOf(key.id)).toHaveLength(1);
  });
});

describe('expected_last_four', () => {
  test('that no token of the key ever had is refused with the last four of its token', async () => {
    const key = await account.key();
    await use(key.token);
    ctx.clock.advance(1000);
    const refusal = async () => detailsOf(await rotate(key.id, { expected_last_four: 'zzzz' }));
    expect(await refusal()).toEqual({
      expected_last_four: [`The newest token of this key ends in ${key.lastFour}.`],
    });
    const rotated = tokenOf(await rotate(key.id));
    expect(await refusal()).toEqual({
      expected_last_four: [`The newest token of this key ends in ${lastFour(rotated)}.`],
    });
  });
});

describe('the tokens of a key', () => {
  test('are shown while they are valid, newest first, by one key and in the list', async () => {
    const key = await account.key();
    await use(key.token);
    const usedAt = inHours(0);
    ctx.clock.advance(hourMs);
    const rotatedAt = inHours(0);
    const second = tokenOf(await rotate(key.id));
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
        unconfirmed: null,
      },
      {
        id: expect.any(Number),
        last_four: key.lastFour,
        created_at: expect.any(String),
        created_by: byOwner,
        valid_until: inHours(24),
        last_used_at: usedAt,
        unconfirmed: null,
      },
    ];
    expect(await tokensOf(key.id)).toEqual(shown);
    expect((await find(key.id))['tokens']).toEqual(shown);
    ctx.clock.advance(dayMs);
    expect(await tokensOf(key.id)).toEqual([{ ...shown[0], last_used_at: null }]);
  });

  test('are none once the key is revoked or expired', async () => {
    const revoked = await account.key();
    await rotate(revoked.id);
    await api.call('DELETE', `/api/v1/api-keys/${revoked.id}`, { token });
    expect(await tokensOf(revoked.id)).toEqual([]);
    const expiring = await account.key({ expiresAt: inHours(1) });
    await rotate(expiring.id);
    ctx.clock.advance(hourMs);
    expect(await tokensOf(expiring.id)).toEqual([]);
  });
});

describe('ending one token', () => {
  test('ends it at once, and no other', async () => {
    const { key, tokens } = await keyWithTokens(4);
    const [, , second] = await tokensOf(key.id);
    expect(await statuses(tokens)).toEqual([200, 200, 200, 200]);
    const response = await endToken(key.id, second?.id);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await statuses(tokens)).toEqual([200, 401, 200, 200]);
    expect(await lastEntry(key.uuid)).toMatchObject({
      action: 'api_key.token_ended',
      changes: { last_four: second?.last_four },
    });
  });

  test('is refused for the newest, with what to do instead', async () => {
    const key = await account.key();
    const [newest] = await tokensOf(key.id);
    const response = await endToken(key.id, newest?.id);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      token: [
        'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
      ],
    });
    expect(await statuses([key.token])).toEqual([200]);
  });

  test('is 404 for a token that has ended, belongs to another key or does not exist', async () => {
    const { key } = await keyWithTokens(2);
    const [, older] = await tokensOf(key.id);
    const { key: other } = await keyWithTokens(2);
    const [, others] = await tokensOf(other.id);
    expect((await endToken(key.id, others?.id)).status).toBe(404);
    expect((await endToken(key.id, older?.id)).status).toBe(204);
    for (const id of [older?.id, 2_000_000_000, 0, -1, 'last', key.uuid]) {
      expect((await endToken(key.id, id)).status).toBe(404);
    }
    ctx.clock.advance(dayMs);
    expect((await endToken(other.id, others?.id)).status).toBe(404);
  });

  test('is 404 for the tokens of a revoked key', async () => {
    const { key } = await keyWithTokens(2);
    const tokens = await tokensOf(key.id);
    await api.call('DELETE', `/api/v1/api-keys/${key.id}`, { token });
    for (const { id } of tokens) expect((await endToken(key.id, id)).status).toBe(404);
  });

  test('is refused to a token in its grace period, and for a key that reaches further', async () => {
    const { key } = await keyWithTokens(2);
    const [, older] = await tokensOf(key.id);
    expect((await endToken(key.id, older?.id, key.token)).status).toBe(403);
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await endToken(key.id, older?.id, narrow.token)).status).toBe(403);
  });

  test('before the newest ends only that one, and the one before it is next', async () => {
    const { key, tokens } = await keyWithTokens(3);
    const path = `/api/v1/api-keys/${key.id}/previous-token`;
    for (const valid of [
      [200, 401, 200],
      [401, 401, 200],
    ]) {
      expect((await api.call('DELETE', path, { token })).status).toBe(204);
      expect(await statuses(tokens)).toEqual(valid);
    }
    expect((await api.call('DELETE', path, { token })).status).toBe(404);
  });
});

describe('a dry run of a rotation', () => {
  test('says what the rotation would do to each token, and changes nothing', async () => {
    for (const body of [{}, { grace_period_seconds: 0 }, { grace_period_seconds: 60 }]) {
      for (const isNewestUsed of [true, false]) {
        const { key } = await keyWithTokens(3, { isNewestUsed });
        const before = await everything(key.id);
        const dry = await rotate(key.id, { ...body, dry_run: true });
        expect(dry.status).toBe(200);
        expect(await everything(key.id)).toEqual(before);

        const fates = dataOf(dry)['tokens'] as Fate[];
        const former = await tokensOf(key.id);
        expect(fates.map((fate) => fate.last_four)).toEqual(former.map((each) => each.last_four));
        expect((await rotate(key.id, { ...body, dry_run: false })).status).toBe(201);
        const still = new Map((await tokensOf(key.id)).map((each) => [each.last_four, each]));
        for (const fate of fates) {
          expect(fate).toEqual({
            last_four: fate.last_four,
            valid_until: still.get(fate.last_four)?.valid_until ?? null,
            ends_now: !still.has(fate.last_four),
          });
        }
      }
    }
  });

  test('is refused as the rotation would be', async () => {
    const { key: full } = await keyWithTokens(20);
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    const dead = await account.key();
    await api.call('DELETE', `/api/v1/api-keys/${dead.id}`, { token });
    const key = await account.key();
    await rotate(key.id);
    const refused: [status: number, id: number, body: object, as: string][] = [
      [422, full.id, {}, token],
      [403, key.id, {}, narrow.token],
      [403, key.id, {}, key.token],
      [404, 2_000_000_000, {}, token],
      [422, dead.id, {}, token],
      [422, key.id, { expected_last_four: key.lastFour }, token],
      [422, key.id, { grace_period_seconds: -1 }, token],
    ];
    for (const [status, id, body, as] of refused) {
      const dry = await rotate(id, { ...body, dry_run: true }, as);
      const real = await rotate(id, body, as);
      expect(dry.status).toBe(status);
      expect(dry.text).toBe(real.text);
    }
  });
});

describe('a token in its grace period', () => {
  test.each(publicRoutes.map((route) => [route.method, route.path, route] as const))(
    'can do everything except manage keys: %s %s',
    async (_method, path, { method, access, body }) => {
      const { key } = await keyWithTokens(2);
      const here = path.replaceAll(/\{\w+\}/g, (name) =>
        name === '{apiKey}' ? String(key.id) : '2000000000',
      );
      const response = await api.call(method, here, {
        token: key.token,
        ...(body && { body: exampleOf(body) }),
      });
      const managesKeys = typeof access === 'object' && access.scope === 'api-keys:manage';
      if (managesKeys) expect(response.status).toBe(403);
      else expect(response.status).not.toBe(403);
    },
  );

  test('manages webhooks until it ends: a planned rotation breaks no integration', async () => {
    const { key } = await keyWithTokens(2);
    const call = (method: string, path: string, body?: unknown) =>
      api.call(method, `/api/v1/webhooks${path}`, { token: key.token, body });
    const url = 'https://example.com/hook';
    const made = await call('POST', '', { name: 'Hook', url, events: ['message.created'] });
    const { id } = dataOf(made);
    const answered = [
      made.status,
      (await call('PATCH', `/${id}`, { url: 'https://example.com/other' })).status,
      (await call('POST', `/${id}/regenerate-secret`)).status,
      (await call('DELETE', `/${id}`)).status,
    ];
    expect(answered).toEqual([201, 200, 201, 204]);
    ctx.clock.advance(dayMs);
    expect((await call('GET', '')).status).toBe(401);
  });
});

describe('the person or key to whom a token was shown', () => {
  test('is recorded with it: the creator of the key, and whoever rotated it', async () => {
    const owner = await account.member('owner');
    const made = await api.call('POST', '/api/v1/api-keys', {
      token,
      body: { name: 'Shown', type: 'bot' },
    });
    const { id, uuid } = dataOf(made);
    await rotateApiKey(ctx, owner, { apiKey: String(uuid) });
    const tokens = await ctx.db.query.apiKeyTokens.findMany({
      where: eq(apiKeyTokens.apiKeyId, id),
      orderBy: (row, { asc }) => asc(row.id),
    });
    expect(tokens.map(({ revealedTo }) => revealedTo)).toEqual([
      { kind: 'api_key', id: expect.any(String), name: 'Production server' },
      { kind: 'person', id: owner.personId, name: 'Ida owner' },
    ]);
    const shown = await api.call('GET', `/api/v1/api-keys/${id}`, { token });
    expect(shown.text).not.toContain('revealed');
  });
});

type Shown = { id: number; last_four: string; valid_until: string | null };
type Fate = { last_four: string; valid_until: string | null; ends_now: boolean };

/**
 * A key after several rotations, with this many valid tokens, oldest first. All were used except
 * the oldest and, unless told otherwise, the newest.
 */
async function keyWithTokens(count: number, { isNewestUsed = true } = {}) {
  const key = await account.key();
  const now = ctx.clock.now();
  const inADay = new Date(now.getTime() + dayMs);
  const ofKey = eq(apiKeyTokens.apiKeyId, key.id);
  const [oldest] = await ctx.db
    .update(apiKeyTokens)
    .set({ validUntil: inADay })
    .where(ofKey)
    .returning();
  if (!oldest) throw new Error('a new key has no token');
  const { id: _, ...row } = oldest;
  const tokens = [key.token, ...Array.from({ length: count - 1 }, newToken)];
  await ctx.db.insert(apiKeyTokens).values(
    tokens.slice(1).map((each, index) => {
      const isNewest = index === count - 2;
      const usedAt = isNewest && !isNewestUsed ? null : now;
      return {
        ...row,
        digest: digestToken(each),
        lastFour: lastFour(each),
        validUntil: isNewest ? null : inADay,
        firstUsedAt: usedAt,
        lastUsedAt: usedAt,
      };
    }),
  );
  return { key, tokens };
}

function exampleOf(schema: z.ZodType): unknown {
  const { examples } = (schema.meta() ?? {}) as { examples?: unknown[] };
  return examples?.[0];
}

async function rotate(key: number, body: unknown = {}, as = token): Promise<ApiResponse> {
  return await api.call('POST', `/api/v1/api-keys/${key}/rotate`, { token: as, body });
}

async function endToken(key: number, id: unknown, as = token): Promise<ApiResponse> {
  return await api.call('DELETE', `/api/v1/api-keys/${key}/tokens/${id}`, { token: as });
}

async function use(as: string): Promise<number> {
  return (await api.call('GET', '/api/v1/api-key', { token: as })).status;
}

async function statuses(tokens: readonly string[]): Promise<number[]> {
  return await Promise.all(tokens.map(use));
}

async function tokensOf(id: number): Promise<Shown[]> {
  const response = await api.call('GET', `/api/v1/api-keys/${id}`, { token });
  return dataOf(response)['tokens'] as Shown[];
}

async function find(id: number): Promise<Record<string, unknown>> {
  const response = await api.call('GET', '/api/v1/api-keys', { token });
  const found = (response.body as { data: { id: number }[] }).data.find((key) => key.id === id);
  if (!found) throw new Error(`key ${id} is not in the list`);
  return found;
}

async function everything(apiKeyId: number) {
  return [
    await ctx.db.query.apiKeyTokens.findMany({ where: eq(apiKeyTokens.apiKeyId, apiKeyId) }),
    await ctx.db.$count(auditEntries),
    await ctx.db.query.idempotentResponses.findMany(),
  ];
}

async function lastEntry(keyUuid: string) {
  const entries = await ctx.db.query.auditEntries.findMany({
    where: eq(auditEntries.accountId, account.id),
    orderBy: (entry, { desc }) => desc(entry.id),
  });
  return entries.find(({ target }) => target.id === keyUuid);
}

async function lastChanges(keyUuid: string) {
  return (await lastEntry(keyUuid))?.changes;
}

function tokenOf(response: ApiResponse): string {
  expect(response.status).toBe(201);
  return String(dataOf(response)['token']);
}

function messageOf(response: ApiResponse): unknown {
  return dataOf(response)['message'];
}

function lastFour(full: string): string {
  return full.slice(-4);
}

function inHours(hours: number): string {
  return new Date(ctx.clock.now().getTime() + hours * hourMs).toISOString().replace('Z', '+00:00');
}
