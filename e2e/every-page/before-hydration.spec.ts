import { expect } from '@playwright/test';
import { readSecretOnce, rowOf, signIn } from 'conversation-service-playwright-kit';
import { openWithoutScripts } from '../pages/open-without-scripts.ts';
import { test } from '../fixtures.ts';

test('who signs in before the page’s scripts have arrived is signed in once they have, and the password is in no address', async ({
  page,
  service,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const arrive = await openWithoutScripts(page, '/sign-in');
  const email = page.getByRole('textbox', { name: 'Email' });
  await expect(email).toBeFocused();
  await signIn(page, service.owner);
  await expect(email).toHaveValue(service.owner.email);
  await expect(page).toHaveURL('/sign-in');
  await arrive();
  await expect(page).toHaveURL('settings/api-keys');
  expect(addresses.filter((url) => url.includes('password'))).toEqual([]);
});

test('what is typed, ticked, chosen and pressed before the page’s scripts have arrived is kept, and the last press counts', async ({
  named,
  signedIn: page,
}) => {
  const name = page.getByRole('textbox', { name: 'Name' });
  const search = page.getByRole('button', { name: 'Search' });
  const palette = page.getByRole('dialog', { name: 'Go to' });

  await test.step('a webhook whose form is submitted after hydration', async () => {
    const arrive = await openWithoutScripts(page, 'settings/webhooks/new');
    const called = named('Early');
    await name.fill(called);
    await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/early');
    const revoked = page.getByRole('checkbox', { name: 'An API key was revoked.' });
    await revoked.check();
    const menu = page.getByRole('button', { name: /Your menu$/ });
    await search.click();
    await menu.click();
    await expect(menu, 'it shows that it was pressed').toHaveCSS('opacity', '0.6');
    await expect(search, 'the other one no longer does').toHaveCSS('opacity', '1');
    await arrive();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await expect(menu).toHaveCSS('opacity', '1');
    await expect(palette).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(name).toHaveValue(called);
    await expect(revoked).toBeChecked();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await readSecretOnce(page);
    await expect(page.getByRole('heading', { level: 1, name: called })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('example.com/early');
  });

  await test.step('a key whose form is submitted before hydration', async () => {
    const arrive = await openWithoutScripts(page, 'settings/api-keys/new');
    const called = named('Early');
    await name.fill(called);
    await page.getByRole('radio', { name: 'Full', exact: true }).check();
    await search.click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await arrive();
    await readSecretOnce(page);
    await expect(palette).toBeHidden();
    await expect(rowOf(page, called)).toContainText('Full');
  });
});
