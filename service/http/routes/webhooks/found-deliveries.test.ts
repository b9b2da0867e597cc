import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { TestDesk } from '../../../testing/http/test-desk.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api } = useApi();
const desk = new TestDesk(ctx, api);
const { account } = desk;
/** What there is: a message in a conversation, which was sent to two webhooks. */
let made: {
  conversation: Ids;
  message: Ids;
  event: Ids;
  deliveries: [Ids, Ids];
  /** Of the two webhooks and the two events of the conversation. */
  all: string[];
};

type Ids = { id: number; uuid: string };

beforeAll(async () => {
  await desk.begin();
  const key = await account.key();
  // So that no two things of this account have the same integer id.
  for (let n = 0; n < 5; n += 1) await conversationWithMessage(await api.account());
  const webhooks = [
    await account.webhook({ name: 'First' }),
    await account.webhook({ name: 'Second' }),
  ];
  const { conversation, message } = await conversationWithMessage(account);
  const idsAt = async (path: string): Promise<Ids[]> =>
    itemsOf<Ids>(await key.get(path)).map(({ id, uuid }) => ({ id, uuid }));
  const [event] = await idsAt('/api/v1/events');
  const [first, second] = await Promise.all(
    webhooks.map(({ id }) => idsAt(`/api/v1/webhooks/${id}/deliveries`)),
  );
  if (!event || !first?.[0] || !second?.[0]) throw new Error('nothing was sent');
  const all = [...first, ...second].map(({ uuid }) => uuid);
  made = { conversation, message, event, deliveries: [second[0], first[0]], all };
});

async function conversationWithMessage(of: TestAccount) {
  const client = await of.key();
  const body = { subject: 'Order 1042' };
  const conversation = dataOf<Ids>(await client.post('/api/v1/conversations', body));
  const path = `/api/v1/conversations/${conversation.id}/messages`;
  const message = dataOf<Ids>(await client.post(path, { author: 'contact', text: 'Where is it?' }));
  return { conversation, message };
}

describe.each(['an account', 'the support desk'])('deliveries are found in %s', (place) => {
  async function find(id: string | number): Promise<string[]> {
    if (place === 'the support desk') {
      const { items } = (await desk.resultsOf(String(id))).deliveries;
      return items
        .filter((item) => item.account.id === account.id)
        .flatMap(({ uuid }) => uuid ?? []);
    }
    const viewer = await account.member('viewer');
    const response = await api.as(viewer).get(`/api/dashboard/found-deliveries/${id}`);
    return response.status === 404 ? [] : itemsOf<Ids>(response).map(({ uuid }) => uuid);
  }

  test('by the webhook-id, also of a test, and by the UUID or id of the event or message', async () => {
    const { event, message, deliveries } = made;
    const uuids = deliveries.map(({ uuid }) => uuid);
    for (const uuid of [event.uuid.toUpperCase(), message.uuid]) {
      expect(await find(uuid), uuid).toEqual(uuids);
    }
    const ids = [`msg_${event.uuid}`, `msg_test_${event.uuid}`, event.uuid, event.id, message.id];
    for (const id of ids) {
      expect(await find(id), String(id)).toEqual(expect.arrayContaining(uuids));
    }
  });

  test('by the UUID or id of the conversation, all of them, newest event first', async () => {
    const { conversation, deliveries, all } = made;
    const found = await find(conversation.uuid);
    expect(found.toSorted()).toEqual(all.toSorted());
    expect(found.slice(0, 2)).toEqual(deliveries.map(({ uuid }) => uuid));
    expect(await find(conversation.id)).toEqual(expect.arrayContaining(all));
  });

  test('by the UUID or id of a delivery, that one alone', async () => {
    const [{ id, uuid }] = made.deliveries;
    expect(await find(uuid)).toEqual([uuid]);
    expect(await find(id)).toContain(uuid);
  });

  test('by nothing that belongs to another account', async () => {
    const { conversation, message } = await conversationWithMessage(await api.account());
    for (const id of [conversation.uuid, message.uuid, crypto.randomUUID()]) {
      expect(await find(id)).toEqual([]);
    }
  });
});

test('the desk names the webhook and the event of a delivery, and the rest only after a reason', async () => {
  const [{ uuid }] = made.deliveries;
  const found = async () => (await desk.resultsOf(uuid)).deliveries.items;
  const named = { named: 'delivery', uuid, event_type: 'message.created' };
  expect(await found()).toMatchObject([
    { ...named, account: { id: account.id }, webhook: { name: 'Second' }, details: null },
  ]);
  await desk.giveReason();
  expect(await found()).toMatchObject([{ ...named, details: { status: 'pending' } }]);
});

test('the desk finds a message that was sent to no webhook, and says in which account', async () => {
  const { message } = await conversationWithMessage(await api.account());
  expect((await desk.resultsOf(message.uuid)).deliveries.items).toMatchObject([
    { named: 'message', uuid: null, webhook: null },
  ]);
});

test('the audit log says how many deliveries a search at the desk showed', async () => {
  await desk.resultsOf(made.event.uuid);
  const [entry] = await desk.auditOf('support_desk.searched', account);
  expect(entry).toMatchObject({ changes: { shown: { deliveries: 2 } } });
});

test('who cannot open an account finds nothing of it', async () => {
  const stranger = await (await api.account()).member('owner');
  const { deliveries } = await desk.resultsOf(made.message.uuid, { as: stranger });
  expect(deliveries.items).toEqual([]);
});
