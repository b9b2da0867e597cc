import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { choose, menuOf, openApiKeys } from './pages/api-keys.ts';
import { expectAccessible } from './pages/every-look.ts';

test('a key’s page is accessible, well, rotating and revoked', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  await page.goto(`settings/api-keys/${key.uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();
  await expectAccessible(page, 'key');
  await menuOf(page, key.name).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'key with a menu');

  const data = { expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString() };
  await api.patch(`/api/v1/api-keys/${key.uuid}`, { data });
  await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, { data: {} });
  await page.reload();
  await expect(page.getByText(/^Rotating: /)).toBeVisible();
  await expectAccessible(page, 'rotating key that expires soon');
  await page.getByRole('button', { name: 'End now' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'end the old token');

  await api.delete(`/api/v1/api-keys/${key.uuid}`);
  await page.reload();
  await expect(page.getByText(/^Revoked on /)).toBeVisible();
  await expectAccessible(page, 'revoked key');
  await page.goto('settings/api-keys/0198c2a4-0000-7000-8000-000000000007');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'no such key');
});

test('editing a key is accessible, with and without errors', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const full = await givenApiKey();
  await page.goto(`settings/api-keys/${full.uuid}/edit`);
  await expectAccessible(page, 'edit a full key');
  const { uuid } = await givenApiKey({ type: 'limited', scopes: ['webhooks:manage'] });
  await page.goto(`settings/api-keys/${uuid}/edit`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await page.getByRole('radio', { name: 'On a date' }).check();
  await page.getByLabel('Date and time').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'edit with errors');
});

test('the question before a revocation is accessible', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const { name, token } = await givenApiKey();
  await request.get('/api/v1/api-key', { headers: { Authorization: `Bearer ${token}` } });
  await openApiKeys(page);
  await choose(page, name, `Revoke ${name}`);
  await expect(page.getByRole('textbox', { name: /^Type the name/ })).toBeVisible();
  await expectAccessible(page, 'revoke');
});
