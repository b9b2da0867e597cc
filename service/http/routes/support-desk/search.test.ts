import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { TestApi } from '../../../testing/api.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { withSessionsById } from '../../../testing/sessions.ts';
import { TestDesk, idsOf } from '../../../testing/http/test-desk.ts';

let ctx: TestContext;
let api: TestApi;
let desk: TestDesk;
let account: TestAccount;
let marker: string;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  desk = await TestDesk.open(ctx, api);
  ({ account, marker } = desk);
});

describe('a search finds', () => {
  test('a key by a part of its name in any case, its id, its UUID and the end of its token', async () => {
    const key = await account.key({ name: `Importer ${marker}` });
    for (const text of [
      `IMPORTER ${marker}`,
      marker,
      String(key.id),
      key.uuid,
      key.uuid.toUpperCase(),
      key.lastFour,
      `…${key.lastFour}`,
      `...${key.lastFour}`,
      `sk_live_…${key.lastFour}`,
      `sk_live_****${key.lastFour.toLowerCase()}`,
    ]) {
      const { keys } = await desk.resultsOf(text);
      expect(idsOf(keys), text).toContain(key.id);
    }
  });

  test('a key by an older token, and says which one', async () => {
    const key = await account.key({ name: marker });
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    await api.as(key.token).post(path, {});
    const { keys } = await desk.resultsOf(`…${key.lastFour}`);
    const [found] = keys.items.filter(({ id }) => id === key.id);
    expect(found).toMatchObject({ status: 'rotating', older_last_four: key.lastFour });
    expect(found?.rotating_until).not.toBeNull();
  });

  test('a key whose newest token nobody confirmed having, and says whether somebody was shown it', async () => {
    const owner = await account.member('owner');
    await api.as(owner).post('/api/v1/api-keys', { name: marker, type: 'full' });
    const { keys } = await desk.resultsOf(marker);
    expect(keys.items).toMatchObject([{ unconfirmed: { was_shown: true } }]);
    const ofKey = eq(apiKeyTokens.apiKeyId, keys.items[0]?.id ?? 0);
    await ctx.db.update(apiKeyTokens).set({ shownTo: null }).where(ofKey);
    expect((await desk.resultsOf(marker)).keys.items).toMatchObject([
      { unconfirmed: { was_shown: false } },
    ]);
    await ctx.db.update(apiKeyTokens).set({ firstUsedAt: ctx.clock.now() }).where(ofKey);
    expect((await desk.resultsOf(marker)).keys.items).toMatchObject([{ unconfirmed: null }]);
  });

  test('a webhook by a part of its name or URL, its id and its UUID', async () => {
    const { id, uuid } = await account.webhook({ name: `Shipments ${marker}` });
    for (const text of [`shipments ${marker}`, String(id), uuid, 'EXAMPLE.com/hook']) {
      expect(idsOf((await desk.resultsOf(text)).webhooks), text).toContain(id);
    }
  });

  test('a person by a part of their name or email address, in each account they belong to', async () => {
    const person = await addPerson(ctx, {
      name: `Sara ${marker}`,
      email: `${marker}@holm.example`,
    });
    const other = await addAccount(ctx, 'Elsewhere');
    for (const accountId of [account.id, other]) {
      await addMember(ctx, { accountId, personId: person.id, role: 'admin' });
    }
    for (const text of [`SARA ${marker}`, `${marker}@HOLM`]) {
      const { people } = await desk.resultsOf(text);
      expect(people.items.map((found) => found.account.id).toSorted()).toEqual(
        [account.id, other].toSorted(),
      );
      expect(people.items[0]).toMatchObject({ id: person.id, role: 'admin' });
    }
  });

  test('an account by a part of its name and its id', async () => {
    for (const text of [`halden ${marker}`, account.id]) {
      expect(idsOf((await desk.resultsOf(text)).accounts)).toEqual([account.id]);
    }
  });

  test('exact matches before others with the same text in their name', async () => {
    const key = await account.key({ name: `Old ${marker}` });
    const hook = await account.webhook({ name: `Old ${marker}` });
    const email = `a@${marker}.example`;
    const named = await addPerson(ctx, { name: `Zoe ${marker}`, email });
    await addMember(ctx, { accountId: account.id, personId: named.id, role: 'admin' });
    for (let n = 0; n < 11; n += 1) {
      await account.key({ name: `${key.id} and ${key.lastFour} ${marker}` });
      await account.webhook({ name: `${hook.id} ${marker}` });
      const other = await addPerson(ctx, {
        name: `Ann ${marker}`,
        email: `${n}a@${marker}.example`,
      });
      await addMember(ctx, { accountId: account.id, personId: other.id, role: 'viewer' });
      await addAccount(ctx, `A ${account.id} ${marker}`);
    }
    await addAccount(ctx, marker);
    expect(idsOf((await desk.resultsOf(String(key.id))).keys)[0]).toBe(key.id);
    expect(idsOf((await desk.resultsOf(key.lastFour)).keys)[0]).toBe(key.id);
    expect(idsOf((await desk.resultsOf(String(hook.id))).webhooks)[0]).toBe(hook.id);
    expect((await desk.resultsOf(email.toUpperCase())).people.items[0]?.email).toBe(email);
    expect((await desk.resultsOf(marker)).accounts.items[0]?.name).toBe(marker);
  });

  test('at most ten of each kind, and says that there are more', async () => {
    for (let n = 0; n < 11; n += 1) await account.key({ name: `Many ${marker} ${n}` });
    const { keys } = await desk.resultsOf(marker);
    expect(keys.items).toHaveLength(10);
    expect(keys.has_more).toBe(true);
  });
});

test('a search finds ended keys after live ones, and nothing can be done with them', async () => {
  const living = await account.key({ name: `Living ${marker}` });
  const ended = await account.key({ name: `Ended ${marker}` });
  const owner = await account.member('owner');
  await api.as(owner).delete(`/api/v1/api-keys/${ended.id}`);
  const { keys } = await desk.resultsOf(marker);
  expect(keys.items.map(({ id, status, may }) => [id, status, may])).toEqual([
    [living.id, 'active', 'request'],
    [ended.id, 'revoked', 'nothing'],
  ]);
});

test('a search shows an active webhook as failing from its third failed attempt on, or five minutes after the first', async () => {
  const { id } = await account.webhook({ name: marker });
  const isFailing = async () => (await desk.resultsOf(marker)).webhooks.items[0]?.is_failing;
  const fail = async (failureCount: number) => {
    await ctx.db
      .update(lanes)
      .set({ failureCount, failingSince: ctx.clock.now() })
      .where(eq(lanes.webhookId, id));
  };
  expect(await isFailing()).toBe(false);
  await fail(2);
  expect(await isFailing()).toBe(false);
  ctx.clock.advance(299_999);
  expect(await isFailing()).toBe(false);
  ctx.clock.advance(1);
  expect(await isFailing()).toBe(true);
  await fail(3);
  expect(await isFailing()).toBe(true);
  await ctx.db
    .update(webhooks)
    .set({ isActive: false, inactiveReason: 'paused' })
    .where(eq(webhooks.id, id));
  expect(await isFailing()).toBe(false);
});
