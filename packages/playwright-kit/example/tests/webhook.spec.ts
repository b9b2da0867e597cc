import { expect, test, writeMessage } from 'conversation-service-playwright-kit';

test('our server receives every message', async ({ api, createWebhook, receiver }) => {
  const { secret } = await createWebhook({ url: `${receiver.url}/orders` });
  receiver.respondWith({ status: 503 }, { status: 204 });
  await writeMessage(api, 'Where is it?');

  const request = await receiver.received({ where: ({ path }) => path === '/orders' });
  expect(receiver.verify(request, secret)).toBe(true);
  expect(JSON.parse(request.body)).toMatchObject({
    type: 'message.created',
    data: { message: { text: 'Where is it?' } },
  });
  // After the 503, the service sends the event again, with the same ID.
  const again = await receiver.received(2);
  expect(again.headers['webhook-id']).toBe(request.headers['webhook-id']);
});
