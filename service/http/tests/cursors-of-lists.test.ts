import { beforeAll, expect, test } from 'vitest';
import { dataOf, detailsOf } from '../../testing/api.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api, account, owner, support } = useApi();
/** The first `next_cursor` of each list. */
let cursors: Map<string, string>;

beforeAll(async () => {
  cursors = await fillLists();
});

test('a cursor is accepted by the list that returned it, and by no other', async () => {
  for (const list of cursors.keys()) {
    for (const [origin, cursor] of cursors) {
      const response = await get(list, `cursor=${cursor}`);
      const what = `a cursor of ${origin} in ${list}`;
      expect(response.status, what).toBe(list === origin ? 200 : 422);
      if (list !== origin) {
        expect(detailsOf(response), what).toEqual({
          cursor: [
            'Use the next_cursor of a page of this list, or leave it out to start from the beginning.',
          ],
        });
      }
    }
  }
});

test('a broken cursor is refused whether or not the webhook or conversation of the list exists', async () => {
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
  const lists = [
    { list: '/api/v1/webhooks/999999/deliveries', name: 'deliveries', other: 'messages' },
    { list: '/api/v1/conversations/999999/messages', name: 'messages', other: 'deliveries' },
  ];
  for (const { list, name, other } of lists) {
    const broken = [
      ...['', 'nonsense', `${name}/1`, `${name}/1:0`, `${name}/x:1`, `${name}:1`].map(cursorOf),
      ...[`${other}/1:1`, 'events:1', 'id:1'].map(cursorOf),
      `${cursorOf(`${name}/1:1`)}.`,
    ];
    for (const cursor of broken) {
      const response = await get(list, `cursor=${cursor}`);
      expect(response.status, `${cursor} in ${list}`).toBe(422);
      expect(detailsOf(response)).toHaveProperty('cursor');
    }
    const { status } = await get(list, `cursor=${cursorOf(`${name}/1:1`)}`);
    expect(status, list).toBe(404);
  }
});

/** Two items in each list that comes in pages. */
async function fillLists(): Promise<Map<string, string>> {
  const { personId: member } = await account.member('admin');
  const conversations: number[] = [];
  const webhooks: number[] = [];
  for (const subject of ['First', 'Second']) {
    const { id } = dataOf(await owner.post('/api/v1/conversations', { subject }));
    conversations.push(id);
    for (const text of ['Hello', 'Bye']) {
      await owner.post(`/api/v1/conversations/${id}/messages`, { author: 'agent', text });
    }
    const revoked = await account.key();
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    await account.key({ expiresAt: ctx.clock.apiTime(1000) });
    const key = await account.key();
    const asked = await support.post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, {
      member,
      reason: 'lost',
    });
    expect(asked.status, asked.text).toBe(201);
  }
  for (const name of ['First', 'Second']) {
    const { id: webhookId } = await account.webhook({ name, isActive: false });
    webhooks.push(webhookId);
    for (let count = 0; count < 2; count += 1) {
      await addDelivery(ctx, await addEvent(ctx, account.id), { webhookId, status: 'delivered' });
    }
  }
  ctx.clock.advance(1000);
  const lists = [
    '/api/v1/conversations',
    ...conversations.map((id) => `/api/v1/conversations/${id}/messages`),
    '/api/v1/events',
    ...webhooks.map((id) => `/api/v1/webhooks/${id}/deliveries`),
    '/api/v1/audit-log',
    '/api/v1/api-keys?status=revoked',
    '/api/v1/api-keys?status=expired',
    '/api/dashboard/rotation-request-history',
    '/api/dashboard/support-desk/rotation-requests',
  ];
  const first = async (list: string): Promise<[string, string]> => {
    const page = (await get(list, '')).body as { next_cursor: string };
    expect(page.next_cursor, list).toEqual(expect.any(String));
    return [list, page.next_cursor];
  };
  return new Map(await Promise.all(lists.map(first)));
}

async function get(list: string, query: string) {
  const client = api.as(list.includes('support-desk') ? support : owner);
  return await client.get(`${list}${list.includes('?') ? '&' : '?'}limit=1&${query}`);
}
