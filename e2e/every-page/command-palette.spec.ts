import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { openApiKeys } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/every-look.ts';

test('Ctrl K finds a key by a pasted token and opens it, and what was open comes first next time', async ({
  givenApiKey,
  givenWebhook,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const webhook = await givenWebhook();
  await openApiKeys(page);
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const search = palette.getByRole('combobox', { name: 'Search, or paste an ID' });
  await expect(search).toBeFocused();
  await expect(palette.getByRole('option', { name: webhook.name })).toBeVisible();
  await expectAccessible(page, 'command palette', palette);

  await search.fill(key.token);
  await expect(search, 'of a token only its end is kept').toHaveValue(`…${key.token.slice(-4)}`);
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();

  await page.getByRole('button', { name: 'Search' }).click();
  await search.fill('no such thing');
  await expect(palette.getByRole('option')).toHaveCount(0);
  await expect(palette).toContainText('Nothing matches.');
  await search.fill(webhook.uuid);
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: webhook.name })).toBeVisible();

  await page.keyboard.press('Control+K');
  await expect(palette.getByRole('group').first()).toHaveAccessibleName('Recent');
  await expect(palette.getByRole('option').first()).toContainText(key.name);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toContainText('Search the list');
  await page.keyboard.press('Control+K');
  await expect(palette, 'one dialog at a time').toBeHidden();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
});
