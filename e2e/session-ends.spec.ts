import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { openRotation, rowOf } from './pages/api-keys.ts';
import { signIn } from './pages/door.ts';

test('an act after the session ended leads to sign-in and back to the same list', async ({
  context,
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openRotation(page, name);
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(name);
  await expect(page).toHaveURL(/\?q=/);
  const here = page.url();

  // What signing out in another tab leaves behind.
  await context.clearCookies();
  guard.allow(/status of 401/);
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Rotate token' }).click();
  await page.getByRole('button', { name: `Rotate ${name}` }).click();

  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await signIn(page, service.owner);
  await expect(page).toHaveURL(here);
  await expect(rowOf(page, name)).toContainText('Active');
});

test('a page asked for after the session ended leads to sign-in, which leads on to it', async ({
  context,
  signedIn: page,
}) => {
  await page.goto('/settings/api-keys');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page).toHaveURL('/sign-in?next=%2Fsettings%2Fwebhooks');
});
