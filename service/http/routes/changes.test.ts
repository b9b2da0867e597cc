import { expect, test } from 'vitest';
import { itemsOf, nextCursorOf } from '../../testing/api.ts';
import type { TestPerson } from '../../testing/api.ts';
import { addDeskSupporter } from '../../testing/http/test-desk.ts';
import { addVisit } from '../../testing/records/people.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api, account, owner, support } = useApi({ accountFor: 'test' });

type Thing = { uuid: string };

async function changesOf(thing: 'api-keys' | 'webhooks', { uuid }: Thing, reader: TestPerson) {
  return itemsOf(await api.as(reader).get(`/api/dashboard/${thing}/${uuid}/changes`));
}

async function visitor(): Promise<TestPerson> {
  const { personId } = await addDeskSupporter(ctx);
  await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
  return { personId, pageOf: account.id };
}

test('support sees who changed a key and when, with the values before and after, and no addresses', async () => {
  const key = await account.key({ name: 'Bot' });
  await owner.patch(`/api/v1/api-keys/${key.id}`, { name: 'Greeter' });
  const at = ctx.clock.apiTime();
  for (const reader of [support, await visitor()]) {
    const [newest] = await changesOf('api-keys', key, reader);
    expect(newest).toEqual({
      id: expect.any(Number),
      at,
      actor: { kind: 'person', id: owner.personId, name: 'Ida owner' },
      action: 'api_key.updated',
      target: { kind: 'api_key', id: key.uuid, name: 'Greeter' },
      changes: { name: { from: 'Bot', to: 'Greeter' } },
    });
  }
});

test('the changes of a key include its rotation requests, and nothing that happened at the support desk', async () => {
  const key = await account.key();
  const { personId } = owner;
  const request = { member: personId, reason: 'lost' };
  await support.post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, request);
  await support.post(`/api/dashboard/support-desk/search`, { search: key.uuid });
  await owner.patch(`/api/v1/api-keys/${key.id}`, { description: 'Greets' });
  const actions = (await changesOf('api-keys', key, support)).map(({ action }) => action);
  expect(actions.slice(0, 2)).toEqual(['api_key.updated', 'rotation_request.created']);
  expect(actions.filter((action) => String(action).startsWith('support_desk'))).toEqual([]);
});

test('whole URLs of a webhook are in its changes for those alone who may change it', async () => {
  const [from, url] = ['https://hooks.example.com/T024/one', 'https://hooks.example.com/T024/two'];
  const webhook = await account.webhook({ url: from });
  await owner.patch(`/api/v1/webhooks/${webhook.id}`, { url });
  const [shown] = await changesOf('webhooks', webhook, owner);
  expect(shown).toMatchObject({ changes: { url: { from, to: url } } });
  for (const reader of [support, await visitor()]) {
    const [hidden] = await changesOf('webhooks', webhook, reader);
    const short = 'https://hooks.example.com/…';
    expect(hidden).toMatchObject({ changes: { url: { from: short, to: short } } });
  }
});

test('changes come in pages, newest first', async () => {
  const key = await account.key({ name: 'Zero' });
  for (const name of ['One', 'Two', 'Three']) {
    await owner.patch(`/api/v1/api-keys/${key.id}`, { name });
  }
  const names: unknown[] = [];
  let cursor = '';
  do {
    const path = `/api/dashboard/api-keys/${key.uuid}/changes?limit=2${cursor}`;
    const response = await support.get(path);
    const next = nextCursorOf(response);
    names.push(...itemsOf(response).map(({ target }) => (target as { name: string }).name));
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  expect(names.slice(0, 3)).toEqual(['Three', 'Two', 'One']);
});
