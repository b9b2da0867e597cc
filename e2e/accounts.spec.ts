import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { openApiKeys, rowOf } from './pages/api-keys.ts';
import { addAccounts } from './pages/members.ts';

test.use({ accountName: 'Alpha Ltd' });
test.skip(isRemote, 'makes accounts');

test.beforeEach(async ({ service }) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
});

test('choosing another account leads to the same list there, and shows nothing of the first', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
  await page.goto(`/settings/api-keys/${uuid}`);
  await switcher(page).click();
  await expect(page.getByRole('menuitemradio')).toHaveText(['Alpha LtdOwner', 'Beta LtdOwner']);
  await page.getByRole('menuitemradio', { name: /^Beta Ltd/ }).click();
  await expect(page).toHaveURL('/settings/api-keys');
  await expect(page.getByRole('complementary')).toContainText('Beta Ltd');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  await expect(page.getByText(name)).toBeHidden();

  await switcher(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: /^Alpha Ltd/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('Alpha Ltd');
  await expect(rowOf(page, name)).toBeVisible();
});

test('a tab whose account was left in another tab is held until somebody says where to go on', async ({
  context,
  named,
  signedIn: first,
}) => {
  await openApiKeys(first);
  const second = await context.newPage();
  await second.goto('/settings/api-keys/new');
  const name = named('Typed');
  await second.getByRole('textbox', { name: 'Name' }).fill(name);

  await first.bringToFront();
  await switcher(first).click();
  await first.getByRole('menuitemradio', { name: /^Beta Ltd/ }).click();
  await expect(first.getByRole('heading', { name: 'No keys yet' })).toBeVisible();

  await second.bringToFront();
  const held = second.getByRole('alertdialog', { name: 'You work in Beta Ltd now' });
  await expect(held).toContainText('This page shows Alpha Ltd.');
  await held.getByRole('button', { name: 'Back to Alpha Ltd' }).click();
  await expect(held).toBeHidden();
  await expect(second.getByRole('textbox', { name: 'Name' })).toHaveValue(name);

  await first.bringToFront();
  const heldToo = first.getByRole('alertdialog', { name: 'You work in Alpha Ltd now' });
  await heldToo.getByRole('button', { name: 'Go to Alpha Ltd' }).click();
  await expect(first.getByRole('complementary')).toContainText('Alpha Ltd');
});

test('many accounts are searched by name', async ({ service, signedIn: page }) => {
  const names = ['Carol GmbH', 'Delta', 'Echo', 'Foxtrot', 'Golf'];
  await addAccounts(service, { names, owner: service.owner });
  await openApiKeys(page);
  await page.getByRole('combobox', { name: 'Switch account' }).click();
  await expect(page.getByRole('combobox', { name: 'Find an account' })).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(7);
  await page.keyboard.type('fox');
  await expect(page.getByRole('option')).toHaveText(['FoxtrotOwner']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('Foxtrot');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
});

function switcher(page: Page) {
  return page.getByRole('complementary').getByRole('button', { name: /Switch account$/ });
}
