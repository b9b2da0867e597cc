import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import {
  choose,
  openApiKeys,
  openRotation,
  submitApiKey,
  submitRotation,
} from './pages/api-keys.ts';
import { expectAccessible } from './pages/every-look.ts';
import { secretDialog } from './pages/secret-dialog.ts';
import { openDeletion, openRegeneration, openWebhooks, submitWebhook } from './pages/webhooks.ts';

test('sign-in is accessible, with and without errors', async ({ page }) => {
  await page.goto('/sign-in');
  await expectAccessible(page, 'sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expectAccessible(page, 'sign-in with errors');
});

test('the list of keys is accessible, with its menu and with nothing found', async ({
  givenApiKey,
  rotateApiKey,
  signedIn: page,
}) => {
  await givenApiKey({ type: 'limited', scopes: ['conversations:read'] });
  const { name } = await givenApiKey();
  await rotateApiKey(name);
  await openApiKeys(page);
  await expectAccessible(page, 'keys');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'keys with a menu');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('no key is called this');
  await expect(page.getByRole('heading', { name: /^No key matches/ })).toBeVisible();
  await expectAccessible(page, 'keys, none found');
});

test('creating a key is accessible, with and without errors', async ({ signedIn: page }) => {
  await page.goto('settings/api-keys/new');
  await page.getByRole('button', { name: 'Add network' }).click();
  await expectAccessible(page, 'create key');
  await submitApiKey(page, { name: '', type: 'Limited' });
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'create key with errors');
});

test('the rotation and the one-time dialog are accessible', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openRotation(page, name);
  await expectAccessible(page, 'rotate');
  await submitRotation(page, name);
  const dialog = secretDialog(page);
  await expect(dialog.value).toBeVisible();
  await dialog.done.click();
  await expectAccessible(page, 'one-time dialog');
  await dialog.close.click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'close without saving');
});

test('the list of webhooks is accessible', async ({ givenWebhook, signedIn: page }) => {
  await givenWebhook();
  await givenWebhook({ isActive: true });
  const { name } = await givenWebhook({ isActive: true, hasSecret: true });
  await openWebhooks(page);
  await choose(page, name, 'Pause');
  await expect(page.getByText(`${name} is paused`)).toBeVisible();
  await expectAccessible(page, 'webhooks with a toast');
});

test('creating a webhook is accessible, up to its secret', async ({ named, signedIn: page }) => {
  await page.goto('settings/webhooks/new');
  await expectAccessible(page, 'create webhook');
  await submitWebhook(page, { name: '', url: '', events: [] });
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'create webhook with errors');
  await submitWebhook(page, { name: named('Notifier'), url: 'https://example.com/in' });
  await expect(secretDialog(page).value).toBeVisible();
  await expectAccessible(page, 'signing secret');
});

test('regenerating a secret and deleting a webhook are accessible', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const { name } = await givenWebhook({ isActive: true, hasSecret: true });
  await openRegeneration(page, name);
  await expectAccessible(page, 'regenerate');
  await openDeletion(page, name);
  await expectAccessible(page, 'delete');
});

test('the navigation of small screens is accessible', async ({ signedIn: page }) => {
  await openApiKeys(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await expectAccessible(page, 'navigation');
});
