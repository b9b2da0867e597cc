import { expect } from '@playwright/test';
import { openApiKeys, readSecretOnce } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('the key from the settings asks to be rotated until it is', async ({ signedIn: page }) => {
  await openApiKeys(page);
  const banner = page.getByText('Initial key still has its initial token');
  await expect(banner).toBeVisible();
  await page.getByRole('link', { name: 'Initial key', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Initial key' })).toBeVisible();
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Rotate Initial key' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate Initial key' });
  await question.getByRole('button', { name: 'Rotate Initial key' }).click();
  await readSecretOnce(page);
  await expect(banner).toBeHidden();
  const pages = page.getByRole('navigation', { name: 'Settings' });
  await pages.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expect(banner).toBeHidden();
});
