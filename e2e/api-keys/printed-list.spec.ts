import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('a printed list of keys has its text, and nothing to press', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { name } = await givenApiKey({ name: named('Printed') });
  await page.goto('settings/api-keys');
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Last used' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByText('·', { exact: true })).toBeHidden();
});
