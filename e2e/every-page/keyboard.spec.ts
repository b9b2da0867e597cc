import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { menuOf, openApiKeys, rowOf } from '../pages/api-keys.ts';
import { addAccounts } from '../pages/people/members.ts';
import { writeMessage } from '../helpers/write-message.ts';
import { secretDialog } from '../pages/secret-dialog.ts';
import { tabTo } from '../pages/checks/tab-to.ts';
import { openWebhook } from '../pages/webhooks.ts';

// The focus must move correctly however long a dialog takes to disappear.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a key can be rotated with the keyboard alone: each tab stop is visible, and the focus stays in what was opened', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { name } = await givenApiKey({ name: named('By keyboard') });
  await openApiKeys(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const search = page.getByRole('searchbox', { name: 'Search keys' });
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await search.clear();
  await page.keyboard.type(name);
  await expect(page.getByRole('row')).toHaveCount(2);
  await tabTo(page, menuOf(page, name));
  // Makes menus fade slowly: whatever they open must keep the focus all the same.
  await page.evaluate(() => document.documentElement.style.setProperty('--base', '1500ms'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rotate token' })).toBeFocused();
  await page.keyboard.press('Enter');

  const question = page.getByRole('dialog', { name: `Rotate ${name}` });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  const day = question.getByRole('radio', { name: 'In 24 hours' });
  await expect(day).toBeFocused();
  await expect(page.locator('[role=menu]')).toHaveCount(0);
  await expect(day).toBeFocused();
  await page.evaluate(() => document.documentElement.style.removeProperty('--base'));
  await page.keyboard.press('ArrowRight');
  await expect(question.getByRole('radio', { name: 'In 7 days' })).toBeChecked();
  await tabTo(page, question.getByRole('button', { name: `Rotate ${name}` }));
  await page.keyboard.press('Enter');

  const dialog = secretDialog(page);
  await expect(dialog.copy).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.value).toBeFocused();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    await expect(dialog.root.locator(':focus')).toHaveCount(1);
  }
  await tabTo(page, dialog.saved);
  await page.keyboard.press('Space');
  await expect(dialog.saved).toBeChecked();
  await tabTo(page, dialog.done);
  await page.keyboard.press('Enter');
  await expect(dialog.root).toBeHidden();
  await expect(menuOf(page, name)).toBeFocused();
  await expect(rowOf(page, name)).toContainText('Rotating');
});

test('a page that a link opens takes the focus to its title, unless the link is still there', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const title = page.getByRole('heading', { level: 1 });
  const opened = async (link: string, heading: string) => {
    await page.getByRole('main').getByRole('link', { name: link, exact: true }).press('Enter');
    await expect(title).toHaveText(heading);
    await expect(title).toBeFocused();
  };
  await openApiKeys(page);
  await expect(page.locator('body'), 'a page that the browser loads').toBeFocused();
  await opened(name, name);
  await opened('API keys', 'API keys');
  await opened('Create key', 'Create key');
  await opened('Cancel', 'API keys');
  await page.goBack();
  await expect(title).toHaveText('Create key');
  await expect(title).toBeFocused();
  const stays = page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true });
  await stays.press('Enter');
  await expect(title).toHaveText('Webhooks');
  await expect(stays).toBeFocused();
});

test('a page takes the focus to its title also at the support desk, on the way into an account, and outside of both', async ({
  guard,
  service,
  signedIn: page,
}) => {
  test.skip(isRemote, 'makes accounts');
  guard.allow(/status of 404/);
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  const title = page.getByRole('heading', { level: 1 });
  await page.goto('/support');
  await expect(page.getByRole('textbox', { name: 'Search all accounts' })).toBeFocused();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill('my requests');
  await page.keyboard.press('Enter');
  await expect(title).toHaveText('My requests');
  await expect(title).toBeFocused();

  await page.goto('/no-page');
  await page.getByRole('link', { name: 'Go to API keys' }).press('Enter');
  await expect(title).toHaveText('API keys');
  await expect(title).toBeFocused();

  await page.goto('/reset-password');
  await page.getByRole('link', { name: 'Ask for a new link' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.goBack();
  await expect(title).toHaveText('Open the link in the email');
  await expect(title).toBeFocused();
});

test('the title also takes the focus if a link to a part of another page was pressed before', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  test.skip(isRemote, 'needs a service that reaches this machine');
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Where is it?');
  await receiver.received(1);
  await openWebhook(page, webhook);
  const held = Promise.withResolvers<void>();
  await page.route(/\/deliveries\?/, async (route) => {
    await held.promise;
    await route.abort();
  });
  await page.getByRole('slider').press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Webhooks', exact: true }).press('Enter');
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Webhooks');
  await expect(title).toBeFocused();
  held.resolve();
});

test('closing a dialog that a link has asked for moves the focus to the title', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
  await page.goto(`settings/api-keys/${uuid}?act=rotate`);
  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('Tab leaves an open menu for what follows its button, and Shift+Tab for the button', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const first = await givenApiKey({ name: named('Tab A') });
  const second = await givenApiKey({ name: named('Tab B') });
  await openApiKeys(page);
  await expect(rowOf(page, second.name)).toBeVisible();
  const menu = page.getByRole('menu');
  const names = await page
    .getByRole('button', { name: /^Actions for / })
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel));
  const upper = names.findIndex((name) => name === `Actions for ${first.name}`);
  const other = names.findIndex((name) => name === `Actions for ${second.name}`);
  const [name, following] = upper < other ? [first.name, second.name] : [second.name, first.name];

  await menuOf(page, name).press('Enter');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('link', { name: following, exact: true })).toBeFocused();

  await menuOf(page, name).press('Enter');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(menu).toHaveCount(0);
  await expect(menuOf(page, name)).toBeFocused();
});
