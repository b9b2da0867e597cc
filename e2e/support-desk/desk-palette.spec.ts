import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { addAccounts } from '../pages/people/members.ts';

test.skip(isRemote, 'makes accounts');

test('at the support desk Ctrl K searches all accounts, once, and opens the pages and accounts of the desk', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
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
