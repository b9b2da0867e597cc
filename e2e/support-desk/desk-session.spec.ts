import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { whenHydrated } from '../pages/await-hydration.ts';
import { addAccounts, addMember } from '../pages/people/members.ts';
import { signIn } from '../pages/people/sign-in.ts';

test.use({ accountName: 'Alpha Ltd' });
test.skip(isRemote, 'makes accounts');

test.beforeEach(async ({ service }) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
});

test('the support desk is blocked when another tab signed in somebody else', async ({
  context,
  guard,
  service,
  session,
  signedIn: page,
}) => {
  guard.allow(/status of 401/);
  const colleague = await addMember(service, { name: 'colleague', role: 'viewer' });
  await addAccounts(service, { names: ['Gamma Ltd'], owner: colleague });
  await page.goto('/support');
  const second = await context.newPage();
  await context.clearCookies();
  await second.goto('/sign-in');
  await signIn(second, colleague);
  await second.waitForURL('**/settings/api-keys');

  await page.bringToFront();
  const held = page.getByRole('alertdialog', { name: 'colleague is signed in now' });
  await held.getByRole('button', { name: 'Continue as colleague' }).click();
  await expect(page.getByRole('button', { name: /^colleague.*Your menu$/ })).toBeVisible();
  await expect(page).toHaveURL('/support');
  await expect(held).toBeHidden();
  // Before that, it does not receive messages of other tabs.
  await whenHydrated(page);

  // The cookies and the message with which signing in there affects the other tabs.
  await context.addCookies(session);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes no target
  await second.evaluate(() => new BroadcastChannel('session').postMessage(null));
  const back = page.getByRole('alertdialog', { name: 'ada is signed in now' });
  await back.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
});

test('signing in again from the support desk leads back to the page and its filter', async ({
  context,
  guard,
  service,
  session,
  signedIn: page,
}) => {
  guard.allow(/status of 401/);
  const declined = '/support/requests?state=declined';
  await context.clearCookies();
  await page.goto(declined);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(declined)}`);
  await signIn(page, service.owner);
  await expect(page).toHaveURL(declined);

  await context.clearCookies();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  const link = page.getByRole('main').getByRole('link', { name: 'Sign in' });
  const expired = '/support/requests?state=expired';
  await expect(link).toHaveAttribute('href', `/sign-in?next=${encodeURIComponent(expired)}`);
  await context.addCookies(session);
});
