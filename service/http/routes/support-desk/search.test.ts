import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useDesk, idsOf } from '../../../testing/http/test-desk.ts';

const { ctx, api, desk, account } = useDesk();
beforeEach(() => desk.giveReason());

describe('a search finds', () => {
  test('a key by a part of its name in any case, its id, its UUID and the end of its token', async () => {
    const key = await account.key({ name: `Importer ${desk.marker}` });
    for (const text of [
      `IMPORTER ${desk.marker}`,
      desk.marker,
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
    const key = await account.key({ name: desk.marker });
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    await key.post(path, {});
    const { keys } = await desk.resultsOf(`…${key.lastFour}`);
    const [found] = keys.items.filter(({ id }) => id === key.id);
    expect(found?.details).toMatchObject({
      status: 'rotating',
      rotating_until: expect.any(String) as string,
      older_last_four: key.lastFour,
    });
  });

  test('a key whose newest token nobody confirmed having, and says whether someone was shown it', async () => {
    const owner = await account.member('owner');
    await api.as(owner).post('/api/v1/api-keys', { name: desk.marker, type: 'full' });
    const { keys } = await desk.resultsOf(desk.marker);
    expect(keys.items).toMatchObject([{ details: { unconfirmed: { was_shown: true } } }]);
    const ofKey = eq(apiKeyTokens.apiKeyId, keys.items[0]?.id ?? 0);
    await ctx.db.update(apiKeyTokens).set({ shownTo: null }).where(ofKey);
    expect((await desk.resultsOf(desk.marker)).keys.items).toMatchObject([
      { details: { unconfirmed: { was_shown: false } } },
    ]);
    await ctx.db.update(apiKeyTokens).set({ firstUsedAt: ctx.clock.now() }).where(ofKey);
    expect((await desk.resultsOf(desk.marker)).keys.items).toMatchObject([
      { details: { unconfirmed: null } },
    ]);
  });

  test('a webhook by a part of its name or host, its id and its UUID', async () => {
    const { id, uuid } = await account.webhook({ name: `Shipments ${desk.marker}` });
    for (const text of [`shipments ${desk.marker}`, String(id), uuid, 'EXAMPLE.com']) {
      expect(idsOf((await desk.resultsOf(text)).webhooks), text).toContain(id);
    }
  });

  test('the account of an event, a message, a conversation and a delivery by their ids and the webhook-id', async () => {
    const caller = await account.key();
    const webhook = await account.webhook();
    const body = { subject: 'Where is order 1042?' };
    const conversation = dataOf(await caller.post('/api/v1/conversations', body));
    const path = `/api/v1/conversations/${conversation.id}/messages`;
    const message = dataOf(await caller.post(path, { author: 'contact', text: 'Hello' }));
    const [delivery] = itemsOf(await caller.get(`/api/v1/webhooks/${webhook.id}/deliveries`));
    const event = dataOf(await caller.get(`/api/v1/deliveries/${delivery?.id}`))['event'] as {
      uuid: string;
    };
    for (const [id, named] of [
      [`msg_${event.uuid}`, 'event'],
      [event.uuid, 'event'],
      [message['uuid'], 'message'],
      [conversation['uuid'], 'conversation'],
      [delivery?.['uuid'], 'delivery'],
    ] as const) {
      const { deliveries } = await desk.resultsOf(String(id));
      const found = deliveries.items.find(({ uuid }) => uuid === delivery?.['uuid']);
      expect(found, named).toMatchObject({ account: { id: account.id }, named });
    }
  });

  test('a person by a part of their name or email address, in each account they belong to', async () => {
    const person = await addPerson(ctx, {
      name: `Sara ${desk.marker}`,
      email: `${desk.marker}@holm.example`,
    });
    const other = await addAccount(ctx, 'Elsewhere');
    await desk.giveReason(other);
    for (const accountId of [account.id, other]) {
      await addMember(ctx, { accountId, personId: person.id, role: 'admin' });
    }
    for (const text of [`SARA ${desk.marker}`, `${desk.marker}@HOLM`]) {
      const { people } = await desk.resultsOf(text);
      expect(people.items.map((found) => found.account.id).toSorted()).toEqual(
        [account.id, other].toSorted(),
      );
      expect(people.items[0]).toMatchObject({ id: person.id, details: { role: 'admin' } });
    }
  });

  test('an account by a part of its name and its id', async () => {
    for (const text of [`halden ${desk.marker}`, account.id]) {
      expect(idsOf((await desk.resultsOf(text)).accounts)).toEqual([account.id]);
    }
  });

  test('exact matches before others with the same text in their name', async () => {
    const key = await account.key({ name: `Old ${desk.marker}` });
    const hook = await account.webhook({ name: `Old ${desk.marker}` });
    const email = `a@${desk.marker}.example`;
    const named = await addPerson(ctx, { name: `Zoe ${desk.marker}`, email });
    await addMember(ctx, { accountId: account.id, personId: named.id, role: 'admin' });
    for (let n = 0; n < 11; n += 1) {
      await account.key({ name: `${key.id} and ${key.lastFour} ${desk.marker}` });
      await account.webhook({ name: `${hook.id} ${desk.marker}` });
      const other = await addPerson(ctx, {
        name: `Ann ${desk.marker}`,
        email: `${n}a@${desk.marker}.example`,
      });
      await addMember(ctx, { accountId: account.id, personId: other.id, role: 'viewer' });
      await addAccount(ctx, `A ${account.id} ${desk.marker}`);
    }
    await addAccount(ctx, desk.marker);
    expect(idsOf((await desk.resultsOf(String(key.id))).keys)[0]).toBe(key.id);
    expect(idsOf((await desk.resultsOf(key.lastFour)).keys)[0]).toBe(key.id);
    expect(idsOf((await desk.resultsOf(String(hook.id))).webhooks)[0]).toBe(hook.id);
    expect((await desk.resultsOf(email.toUpperCase())).people.items[0]?.details?.email).toBe(email);
    expect((await desk.resultsOf(desk.marker)).accounts.items[0]?.name).toBe(desk.marker);
  });

  test('keys, webhooks and people with exactly the given name before others', async () => {
    const name = `Sara ${desk.marker}`;
    await account.key({ name });
    await account.webhook({ name });
    const { id: personId } = await addPerson(ctx, { name });
    await addMember(ctx, { accountId: account.id, personId, role: 'viewer' });
    for (let n = 0; n < 11; n += 1) {
      await account.key({ name: `A ${name} ${n}` });
      await account.webhook({ name: `A ${name} ${n}` });
      const other = await addPerson(ctx, { name: `A ${name} ${n}` });
      await addMember(ctx, { accountId: account.id, personId: other.id, role: 'viewer' });
    }
    for (const text of [name.toLowerCase(), `halden ${name}`]) {
      const found = await desk.resultsOf(text);
      for (const { items } of [found.keys, found.webhooks, found.people]) {
        expect(items[0]?.name, text).toBe(name);
      }
    }
  });

  test('ten of each kind, and the next ten on request', async () => {
    const made = [];
    for (let n = 0; n < 21; n += 1) made.unshift((await account.key({ name: desk.marker })).id);
    const pages = [
      await desk.resultsOf(desk.marker),
      await desk.resultsOf(desk.marker, { more: { of: 'keys', skip: 10 } }),
      await desk.resultsOf(desk.marker, { more: { of: 'keys', skip: 20 } }),
    ];
    expect(pages.map(({ keys }) => [idsOf(keys), keys.has_more])).toEqual([
      [made.slice(0, 10), true],
      [made.slice(10, 20), true],
      [made.slice(20), false],
    ]);
    expect(pages.map(({ accounts }) => accounts.items.length)).toEqual([1, 0, 0]);
  });
});

describe('words', () => {
  let production: { id: number };
  beforeEach(async () => {
    production = await account.key({ name: 'Production' });
    await account.key({ name: 'Staging' });
    const other = await api.account();
    await other.key({ name: 'Production' });
  });

  test('are found in the name of a key and of its account together', async () => {
    for (const text of [`halden ${desk.marker} production`, `PRODUCT ${desk.marker}`]) {
      expect(idsOf((await desk.resultsOf(text)).keys), text).toEqual([production.id]);
    }
  });

  test('of an account alone find the account, and nothing of it', async () => {
    const { accounts, keys } = await desk.resultsOf(`halden ${desk.marker}`);
    expect(idsOf(accounts)).toEqual([account.id]);
    expect(keys.items).toEqual([]);
  });

  test.each([
    (id: string) => `account:${id} production`,
    () => `production account:${desk.marker}`,
    () => `production Account:"Halden ${desk.marker}"`,
  ])('are searched in the account that account: names: %s', async (textOf) => {
    const { accounts, keys } = await desk.resultsOf(textOf(account.id));
    expect(idsOf(accounts)).toEqual([account.id]);
    expect(idsOf(keys)).toEqual([production.id]);
  });
});

test('a search finds ended keys after live ones, and nothing can be done with them', async () => {
  const living = await account.key({ name: `Living ${desk.marker}` });
  const ended = await account.key({ name: `Ended ${desk.marker}` });
  const owner = await account.member('owner');
  await api.as(owner).delete(`/api/v1/api-keys/${ended.id}`);
  const { keys } = await desk.resultsOf(desk.marker);
  expect(keys.items.map(({ id, details }) => [id, details?.status, details?.may])).toEqual([
    [living.id, 'active', 'request'],
    [ended.id, 'revoked', 'nothing'],
  ]);
});

test('a search shows an active webhook as failing from its third failed attempt on, or five minutes after the first', async () => {
  const { id } = await account.webhook({ name: desk.marker });
  const isFailing = async () =>
    (await desk.resultsOf(desk.marker)).webhooks.items[0]?.details?.is_failing;
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
