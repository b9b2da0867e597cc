import { createClient } from 'conversation-service-client';
import { expect, test } from 'conversation-service-playwright-kit';

test('a bot works with a new key', async ({ createApiKey, service }) => {
  const { token } = await createApiKey({
    type: 'bot',
    scopes: ['conversations:read', 'messages:write'],
  });
  const bot = createClient({ baseUrl: service.origin, token });
  const { data } = await bot.GET('/api/v1/api-key');
  expect(data?.data.type).toBe('bot');
});
