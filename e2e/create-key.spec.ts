import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { openApiKeys, rowOf } from './pages/api-keys.ts';
import { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';

test('a limited key made in the form opens exactly what was ticked', async ({
  createApiKey,
  named,
  request,
  signedIn,
}) => {
  const { name, token } = await createApiKey({
    name: named('Partner app'),
    type: 'Limited',
    scopes: ['Read conversations and messages', 'Create, change and delete webhooks'],
  });

  await expect(signedIn).toHaveURL(/\/settings\/api-keys$/);
  const row = rowOf(signedIn, name);
  await expect(row).toContainText('Limited');
  await expect(row).toContainText(token.slice(-4));
  await expect(row).toContainText('Active');

  const headers = { Authorization: `Bearer ${token}` };
  const own = await request.get('/api/v1/api-key', { headers });
  expect(own.status()).toBe(200);
  expect(await own.json()).toMatchObject({
    success: true,
    data: {
      name,
      type: 'limited',
      scopes: ['conversations:read', 'webhooks:read', 'webhooks:manage'],
      last_four: token.slice(-4),
    },
  });
  expect((await request.get('/api/v1/conversations', { headers })).status()).toBe(200);
  expect((await request.get('/api/v1/api-keys', { headers })).status()).toBe(403);
});

test('to manage is to see: ticking one scope ticks and holds what it implies', async ({
  signedIn: page,
}) => {
  await page.goto('settings/api-keys/new');
  await page.getByRole('radio', { name: 'Webhook', exact: true }).check();
  const see = page.getByRole('checkbox', { name: 'See webhooks' });
  await expect(see).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Create, change and delete webhooks' }).check();
  await expect(see).toBeChecked();
  await expect(see).toBeDisabled();
});

test('a form without a name or a scope says so at each field and makes no key', async ({
  signedIn: page,
}) => {
  await page.goto('settings/api-keys/new');
  await page.getByRole('radio', { name: 'Limited', exact: true }).check();
  await page.getByRole('button', { name: 'Create key' }).click();

  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveAccessibleDescription(/\S/);
  await expect(page.getByRole('group', { name: 'Scopes' })).toHaveAccessibleDescription(/scope/i);
  await expect(secretDialog(page).root).toBeHidden();
});

test('a key bound to another network is refused from here', async ({
  named,
  request,
  signedIn: page,
}) => {
  const name = named('Elsewhere');
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  await page.getByRole('button', { name: 'Add network' }).click();
  const network = page.getByRole('textbox', { name: 'Network 1' });
  await expect(network).toBeFocused();
  await network.fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Create key' }).click();
  const token = await readSecretOnce(page);

  const answer = await request.get('/api/v1/api-key', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(403);
});

test('Back from the list does not lead into a form that was sent', async ({
  named,
  signedIn: page,
}) => {
  await openApiKeys(page);
  await page.getByRole('link', { name: 'Create key' }).click();
  const name = named('Once');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await readSecretOnce(page);
  await expect(rowOf(page, name)).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeHidden();
});

test('the list keeps search and filters in the address', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const shown = await givenApiKey({ name: named('Shown'), type: 'bot' });
  const hidden = await givenApiKey({ name: named('Hidden') });
  await openApiKeys(page);
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(shown.name);
  await expect(rowOf(page, hidden.name)).toBeHidden();
  await expect(rowOf(page, shown.name)).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=/);

  await page.reload();
  await expect(rowOf(page, shown.name)).toBeVisible();
  await expect(rowOf(page, hidden.name)).toBeHidden();

  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Limited' }).click();
  await expect(page.getByRole('heading', { name: /^No limited key matches/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rowOf(page, hidden.name)).toBeVisible();
});
