import { expect } from '@playwright/test';
import { dayMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { choose, menuOf, openApiKeys } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { secretDialog } from '../pages/secret-dialog.ts';

// The tests of each page check how it looks on the way. This suite has variants of these looks.

test('the list of keys, its menu and its dialogs are accessible, and so is the navigation of small screens', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const rotated = await givenApiKey({ type: 'limited', scopes: ['conversations:read'] });
  await api.post(`/api/v1/api-keys/${rotated.uuid}/rotate`, { data: {} });
  const { name } = await givenApiKey();
  await openApiKeys(page);
  await expectAccessible(page, 'keys');
  await menuOf(page, name).click();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the menu of a key', menu);
  await menu.getByRole('menuitem', { name: 'Rotate token' }).click();
  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(question).toBeVisible();
  await expectAccessible(page, 'rotate', question);
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const dialog = secretDialog(page);
  await expect(dialog.value).toBeVisible();
  await dialog.done.click();
  await expectAccessible(page, 'one-time dialog', dialog.root);
  await dialog.close.click();
  const warning = page.getByRole('alertdialog');
  await expect(warning).toBeVisible();
  await expectAccessible(page, 'close without saving', warning);
  await warning.getByRole('button', { name: 'Close anyway' }).click();
  await expect(dialog.root).toBeHidden();

  await page.setViewportSize({ width: 320, height: 800 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await expectAccessible(page, 'navigation');
});

test('a key’s page, its dialogs and its form are accessible, also with errors', async ({
  api,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:manage'] });
  await request.get('/api/v1/api-key', { headers: { Authorization: `Bearer ${key.token}` } });
  const data = { expires_at: new Date(Date.now() + 3 * dayMs).toISOString() };
  await api.patch(`/api/v1/api-keys/${key.uuid}`, { data });
  await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, { data: {} });
  await page.goto(`settings/api-keys/${key.uuid}`);
  await expect(page.getByText(/^Rotating: /)).toBeVisible();
  await expectAccessible(page, 'rotating key that expires soon');
  await page.getByRole('button', { name: 'End now' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await expectAccessible(page, 'end the old token', question);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await choose(page, key.name, `Revoke ${key.name}`);
  await expect(question.getByRole('textbox', { name: /^Type the name/ })).toBeVisible();
  await expectAccessible(page, 'revoke', question);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();

  await page.getByRole('link', { name: 'Edit key' }).click();
  await expect(page).toHaveTitle(/^Edit key · /);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await page.getByRole('radio', { name: 'On a date' }).check();
  await page.getByLabel('Date and time').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'edit with errors');
});

test('a key’s page and form are accessible in other states', async ({
  api,
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const key = await givenApiKey();
  await page.goto(`settings/api-keys/${key.uuid}/edit`);
  await expectAccessible(page, 'edit a full key');
  await page.goto(`settings/api-keys/${key.uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();
  await expectAccessible(page, 'key');
  await menuOf(page, key.name).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'key with a menu');
  await api.delete(`/api/v1/api-keys/${key.uuid}`);
  await page.reload();
  await expect(page.getByText(/^Revoked on /)).toBeVisible();
  await expectAccessible(page, 'revoked key');
  await page.goto('settings/api-keys/0198c2a4-0000-7000-8000-000000000007');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'no such key');
});
