import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('on a phone a button shows and hides the filters and says how many are set, and the search does not change them', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await page.goto('settings/api-keys');
  const toggle = page.getByRole('button', { name: /^Filters/ });
  const status = page.getByRole('combobox', { name: 'Status' });
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(name);
  await expect(page).toHaveURL(/q=/);
  await expect(status).toBeHidden();
  await expect(toggle).toHaveAccessibleName('Filters');

  await toggle.click();
  await status.click();
  await page.getByRole('option', { name: 'Active' }).click();
  await expect(toggle).toHaveAccessibleName('Filters, 1 set');
  await toggle.click();
  await expect(status).toBeHidden();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');

  await page.reload();
  await expect(status).toBeVisible();
  await toggle.click();
  await expect(status).toBeHidden();
});
