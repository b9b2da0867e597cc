import { expect } from '@playwright/test';
import { expectAccessible, signIn, whenHydrated } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Alpha Ltd' });

test.beforeEach(async ({ service }) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
});

test('on a phone the menu of the support desk has all links of the sidebar', async ({
  browser,
  control,
  service,
}) => {
  const person = { ...service.owner, email: service.owner.email.replace('ada', 'priya') };
  await control.addSupporter(person);
  const page = await pageOf(browser, service, { ...person, address: '/support' });
  const sidebar = page.getByRole('complementary').getByRole('link');
  await expect(sidebar.first()).toBeVisible();
  const links = await Promise.all(
    (await sidebar.all()).map(async (link) => ({
      href: await link.getAttribute('href'),
      text: ((await link.textContent()) ?? '').replace(/, opens.*/, ''),
    })),
  );
  expect(links.map(({ text }) => text)).toEqual([
    'Support desk',
    'My requests',
    'Choose an account',
    'Status',
    'Documentation',
  ]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Your menu$/ }).click();
  const menu = page.getByRole('menu');
  for (const { href, text } of links) {
    await expect(menu.getByRole('menuitem', { name: text })).toHaveAttribute('href', href ?? '');
  }
  await menu.getByRole('menuitem', { name: 'Choose an account' }).click();
  await expect(page).toHaveURL('/accounts');
  await page.context().close();
});

test('at the support desk Ctrl K searches all accounts, once, and opens the pages and accounts of the desk', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  await page.goto('/support/requests');
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const search = palette.getByRole('combobox', { name: 'Search all accounts, or go to a page' });
  await expect(search).toBeFocused();
  await expect(palette.getByRole('option', { name: 'My requests' })).toBeVisible();
  await expectAccessible(page, 'command palette of the support desk', palette);

  await search.fill(key.token);
  await expect(search, 'of a token only its end is kept').toHaveValue(`…${key.token.slice(-4)}`);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page).toHaveURL('/support');
  const results = page.getByRole('table', { name: 'Results' });
  await expect(results.getByRole('row', { name: key.name })).toBeVisible();
  const box = page.getByRole('textbox', { name: 'Search all accounts' });
  await expect(box).toHaveValue(`…${key.token.slice(-4)}`);
  await expect(box).toBeFocused();

  await page.getByRole('complementary').getByRole('button', { name: 'Search' }).click();
  await search.fill('nothing has this name');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No results for “nothing has this name”')).toBeVisible();
  await page.keyboard.press('Control+K');
  await search.fill('my requests');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/support/requests');
});

// `accounts.spec.ts` shows the same in an account.
test('the support desk is blocked when another tab signed in someone else', async ({
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
