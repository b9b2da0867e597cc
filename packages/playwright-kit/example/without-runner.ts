import { createInstallation, startReceiver } from 'conversation-service-playwright-kit';

const installation = await createInstallation({ product: process.env['PRODUCT'] ?? '' });
const receiver = await startReceiver();
try {
  const { token } = await installation.addAccount('Acme Support');
  const post = async (path: string, body: object) =>
    await fetch(installation.origin + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/api/v1/webhooks', {
    name: 'Orders',
    url: receiver.url,
    events: ['conversation.created'],
  });
  await post('/api/v1/conversations', { subject: 'Order 1042', contact: 'lena@example.com' });

  const request = await receiver.received(1);
  console.log('Received:', JSON.parse(request.body).type);
} finally {
  await receiver.close();
  await installation.close();
}
