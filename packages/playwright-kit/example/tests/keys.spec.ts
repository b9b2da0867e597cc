import { expect, expectAccessible, test } from 'conversation-service-playwright-kit';

test('a key that was rotated ends the old token', async ({
  createApiKey,
  request,
  rotateApiKey,
}) => {
  const { name, token } = await createApiKey();
  const replacement = await rotateApiKey(name, 'Now');
  const statusWith = async (given: string) => {
    const headers = { Authorization: `Bearer ${given}` };
    return (await request.get('/api/v1/api-key', { headers })).status();
  };
  expect(await statusWith(replacement)).toBe(200);
  expect(await statusWith(token)).toBe(401);
});

test('a viewer sees the keys, and creates none', async ({ givenApiKey, signedInAs }) => {
  const { name } = await givenApiKey();
  const page = await signedInAs('viewer');
  await page.goto('settings/api-keys');
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden();
  await expectAccessible(page, 'the keys, as a viewer');
});

test('the limit of creations is that of this test alone', async ({ api }) => {
  for (let made = 0; made < 30; made += 1) {
    const data = { name: `Bot ${made}`, type: 'bot' };
    expect((await api.post('/api/v1/api-keys', { data })).status()).toBe(201);
  }
});
