import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import type { CreatedKey } from '../../../testing/api-keys/key-calls.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, itemsOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

/** The limit of calls a minute for each key, and for all keys of an account together. */
const perKey = 20;
const perAccount = 60;

const config = { rateLimitPerMinute: perKey, accountRateLimitPerMinute: perAccount };
const { ctx, api, account, caller: key } = useApi({ accountFor: 'test', config });
/** The calls of this key. */
const keys = new KeyCalls(key);

describe('the description and the tags of a key', () => {
  test('are trimmed and normalized, and shown wherever the key is', async () => {
    const response = await create({
      description: ' Checkout\r\nof the shop ',
      tags: [' EU  West ', 'Live'],
    });
    expect(response.status).toBe(201);
    const shown = { description: 'Checkout\nof the shop', tags: ['eu west', 'live'] };
    const { id } = dataOf(response);
    expect(dataOf(response)).toMatchObject(shown);
    expect(await keys.read(id)).toMatchObject(shown);
    expect(await keys.find(id)).toMatchObject(shown);
  });

  test('change alone, can be removed, and the audit entry has both values', async () => {
    const { id } = dataOf(await create({ description: 'Checkout', tags: ['live'] }));
    expect(dataOf(await keys.change(id, { tags: ['Test'] }))).toMatchObject({
      description: 'Checkout',
      tags: ['test'],
    });
    expect(dataOf(await keys.change(id, { description: '' }))['description']).toBeNull();
    const log = await key.get('/api/v1/audit-log');
    expect(itemsOf(log).slice(0, 2)).toMatchObject([
      { action: 'api_key.updated', changes: { description: { from: 'Checkout', to: null } } },
      { action: 'api_key.updated', changes: { tags: { from: ['live'], to: ['test'] } } },
    ]);
  });

  test.each<[string, object, string]>([
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description'],
    ['a hidden character', { description: 'Shop\u202E' }, 'description'],
    ['a token', { description: `sk_live_${'a'.repeat(38)}` }, 'description'],
    ['a token as a tag', { tags: [`sk_live_${'a'.repeat(22)}`] }, 'tags'],
    ['11 tags', { tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`) }, 'tags'],
    ['a tag twice', { tags: ['Live', 'live '] }, 'tags'],
  ])('are refused with %s', async (_what, details, field) => {
    const response = await create(details);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test.each([' ', 'x'.repeat(31), 'one, two'])('refuse %j as a tag', async (tag) => {
    expect((await create({ tags: [tag] })).status).toBe(422);
  });
});

describe('the person responsible for a key', () => {
  let maria: PersonActor;
  beforeEach(async () => {
    maria = await account.member('admin');
  });
  const shownFor = (actor: PersonActor, isMember: boolean) => ({
    id: actor.personId,
    name: actor.personName,
    is_member: isMember,
  });

  test('is shown wherever the key is, can be changed and removed alone, and is named in audit entries', async () => {
    const made = dataOf(await create({ responsible_id: maria.personId, tags: ['live'] }));
    expect(made['responsible']).toEqual(shownFor(maria, true));
    expect((await keys.find(made.id)).responsible).toEqual(shownFor(maria, true));
    const leo = await account.member('viewer');
    expect(dataOf(await keys.change(made.id, { responsible_id: leo.personId }))).toMatchObject({
      responsible: shownFor(leo, true),
      tags: ['live'],
    });
    expect(dataOf(await keys.change(made.id, { responsible_id: null }))['responsible']).toBeNull();
    const log = await key.get('/api/v1/audit-log');
    const changes = itemsOf(log).map((entry) => entry['changes']);
    expect(changes.slice(0, 3)).toMatchObject([
      { responsible: { from: leo.personName, to: null } },
      { responsible: { from: maria.personName, to: leo.personName } },
      { responsible: maria.personName },
    ]);
  });

  test('is still named after they left the account, and shown under a new name while they belong to it', async () => {
    const { id } = dataOf(await create({ responsible_id: maria.personId }));
    const rename = async (name: string) =>
      await ctx.db.update(people).set({ name }).where(eq(people.id, maria.personId));
    await rename('Maria Silva');
    expect((await keys.read(id)).responsible).toMatchObject({ name: 'Maria Silva' });
    await ctx.db
      .delete(members)
      .where(and(eq(members.accountId, account.id), eq(members.personId, maria.personId)));
    expect((await keys.read(id)).responsible).toEqual(shownFor(maria, false));
  });

  test.each([
    [
      'somebody of another account',
      async () => (await (await api.account()).member('owner')).personId,
    ],
    ['nobody at all', async () => 'no-such-person'],
  ])('cannot be %s', async (_who, idOf) => {
    const id = await idOf();
    for (const response of [
      await create({ responsible_id: id }),
      await keys.change(key.id, { responsible_id: id }),
    ]) {
      expect(response.status).toBe(422);
      expect(detailsOf(response)).toEqual({
        responsible_id: ['Choose a member of this account, or nobody.'],
      });
    }
  });

  test.each([7, 'x'.repeat(65), ['a']])('cannot be given as %j', async (id) => {
    expect(Object.keys(detailsOf(await create({ responsible_id: id })))).toEqual([
      'responsible_id',
    ]);
  });
});

describe('a key’s own rate limit', () => {
  test('applies instead of the usual one, and is stated in the headers', async () => {
    const token = tokenOf(await createWithLimit(2));
    const calls = [await me(token), await me(token), await me(token)];
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(calls[0]?.headers.get('RateLimit-Policy')).toBe('"default";q=2;w=60');
    expect(calls[0]?.headers.get('RateLimit')).toBe('"default";r=1;t=60');
    ctx.clock.advance(60_000);
    expect((await me(token)).status).toBe(200);
  });

  test('may be higher than the usual one, and is never higher than the account’s', async () => {
    const { id, token } = dataOf<CreatedKey>(await createWithLimit(perKey + 5));
    for (let call = 1; call <= perKey + 5; call += 1) {
      expect((await me(token)).status).toBe(200);
    }
    expect((await me(token)).status).toBe(429);
    const refused = await createWithLimit(perAccount + 1);
    expect(detailsOf(refused)['rate_limit_per_minute']?.[0]).toContain(`at most ${perAccount}`);
    const { token: maker } = await keyAtAccountLimit();
    const changed = await keys.as(maker).change(id, { rate_limit_per_minute: perAccount + 1 });
    expect(detailsOf(changed)).toHaveProperty('rate_limit_per_minute');
  });

  test('applies to the next call after it is changed', async () => {
    const other = await account.key();
    expect((await me(other.token)).status).toBe(200);
    expect((await keys.change(other.id, { rate_limit_per_minute: 1 })).status).toBe(200);
    expect((await me(other.token)).status).toBe(429);
    expect((await keys.change(other.id, { rate_limit_per_minute: null })).status).toBe(200);
    expect((await me(other.token)).status).toBe(200);
  });

  test('cannot be set by a key with a lower limit', async () => {
    expect((await create({ rate_limit_per_minute: perKey + 1 })).status).toBe(403);
    const bound = dataOf<CreatedKey>(await create({ rate_limit_per_minute: 10 }));
    const refused = await keys.as(bound.token).change(bound.id, { rate_limit_per_minute: null });
    expect(refused.status).toBe(403);
    expect((await create({}, bound.token)).status).toBe(403);
    expect((await create({ rate_limit_per_minute: 10 }, bound.token)).status).toBe(201);
  });

  test.each<[act: string, (id: number, token: string) => Promise<ApiResponse>]>([
    ['changed', (id, token) => keys.as(token).change(id, { name: 'Taken over' })],
    ['rotated', (id, token) => keys.as(token).rotate(id)],
    ['revoked', (id, token) => keys.as(token).revoke(id)],
  ])('limits the key’s reach: a key with a higher limit cannot be %s', async (_act, act) => {
    const token = tokenOf(await create({ rate_limit_per_minute: 10 }));
    const { id: higher } = dataOf(await create({ rate_limit_per_minute: 11 }));
    expect((await act(higher, token)).status).toBe(403);
    expect((await act(key.id, token)).status).toBe(403);
    const { id: equal } = dataOf(await create({ rate_limit_per_minute: 10 }));
    expect((await act(equal, token)).status).toBeLessThan(300);
  });

  test('counts above the account’s limit like one at the limit', async () => {
    const { token } = await keyAtAccountLimit();
    const { id } = await account.key();
    await setLimit(id, perAccount + 1);
    expect((await keys.as(token).change(id, { name: 'Still mine' })).status).toBe(200);
  });

  test.each([0, 1.5, '10'])('cannot be %j', async (limit) => {
    const response = await create({ rate_limit_per_minute: limit });
    expect(Object.keys(detailsOf(response))).toEqual(['rate_limit_per_minute']);
  });
});

function create(details: object, token = key.token): Promise<ApiResponse> {
  return keys.as(token).create({ name: 'Shop', type: 'full', ...details });
}

/** A new key whose creator may call as much as the account, and so can set any limit up to that. */
async function createWithLimit(limit: number): Promise<ApiResponse> {
  return await create({ rate_limit_per_minute: limit }, (await keyAtAccountLimit()).token);
}

async function keyAtAccountLimit(): Promise<{ id: number; token: string }> {
  const made = await account.key();
  await setLimit(made.id, perAccount);
  return made;
}

async function setLimit(id: number, rateLimitPerMinute: number): Promise<void> {
  await ctx.db.update(apiKeys).set({ rateLimitPerMinute }).where(eq(apiKeys.id, id));
}

function me(token: string): Promise<ApiResponse> {
  return api.as(token).get('/api/v1/api-key');
}
