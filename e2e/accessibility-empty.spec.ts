import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { expectAccessible } from './pages/every-look.ts';
import { openSetUp } from './pages/set-up.ts';

// A server apart, in which nobody is yet.
test.use({ isSetUp: false });
test.skip(isRemote, 'needs a service that nobody has set up');

test('set-up and the empty lists it leads to are accessible', async ({ guard, page, service }) => {
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { level: 1, name: 'Not set up yet' })).toBeVisible();
  await expectAccessible(page, 'not set up');

  await openSetUp(page, service.server);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('textbox', { name: 'Account name' })).toBeFocused();
  await expectAccessible(page, 'set-up with errors');
  await page.getByRole('textbox', { name: 'Account name' }).fill('Hopper & Daughters');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('nine words are a good password');
  await expectAccessible(page, 'set-up');

  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  await expectAccessible(page, 'no keys');
  await page.goto('settings/webhooks');
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
  await expectAccessible(page, 'no webhooks');
  guard.allow(/status of 404/);
  await page.goto('settings/nothing-here');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'not found');
});
