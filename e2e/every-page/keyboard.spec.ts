import { expect } from '@playwright/test';
import {
  menuOf,
  openApiKeys,
  openWebhook,
  rowOf,
  secretDialog,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addAccounts } from '../pages/people/members.ts';
import { tabTo } from '../pages/checks/tab-to.ts';

// The focus must move correctly however long a dialog takes to disappear.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a key can be rotated with the keyboard alone: each tab stop is visible, the focus stays in what was opened, and Tab leaves an open menu for what follows its button', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const common = named('By keyboard');
  const { name } = await givenApiKey({ name: `${common} A` });
  const { name: following } = await givenApiKey({ name: `${common} B` });
  await page.goto('settings/api-keys?sort=name');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const search = page.getByRole('searchbox', { name: 'Search keys' });
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await search.clear();
  await page.keyboard.type(common);
  await expect(page.getByRole('row')).toHaveCount(3);
  await tabTo(page, menuOf(page, name));

  await test.step('Tab leaves an open menu for what follows its button, and Shift+Tab for the button', async () => {
    const menu = page.getByRole('menu');
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(menu).toHaveCount(0);
    await expect(page.getByRole('checkbox', { name: `Select ${following}` })).toBeFocused();

    await menuOf(page, name).press('Enter');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(menu).toHaveCount(0);
    await expect(menuOf(page, name)).toBeFocused();
  });

  // Makes menus fade slowly: whatever they open must keep the focus all the same.
  await page.evaluate(() => document.documentElement.style.setProperty('--base', '1500ms'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rotate token' })).toBeFocused();
  await page.keyboard.press('Enter');

  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
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

test('a page that a link opens takes the focus to its title, unless the link is still there, also after a dialog that the link has asked for is closed', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
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

  await page.goto(`settings/api-keys/${uuid}?act=rotate`);
  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(title).toBeFocused();
});

test('in every part of the dashboard, a page that a link opens takes the focus to its title', async ({
  api,
  givenWebhook,
  guard,
  receiver,
  service,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  const title = page.getByRole('heading', { level: 1 });

  await test.step('after a link to a part of another page was pressed', async () => {
    await writeMessage(api, 'Where is it?');
    await receiver.received(1);
    await openWebhook(page, webhook);
    const held = Promise.withResolvers<void>();
    await page.route(/\/deliveries\?/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('slider').press('Enter');
    const list = page.getByRole('main').getByRole('link', { name: 'Webhooks', exact: true });
    await list.press('Enter');
    await expect(title).toHaveText('Webhooks');
    await expect(title).toBeFocused();
    held.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  });

  await test.step('at the support desk, on the way into an account, and outside of both', async () => {
    guard.allow(/status of 404/);
    await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
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
    await page.getByRole('link', { name: 'Request a new link' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
    await page.goBack();
    await expect(title).toHaveText('Open the link in the email');
    await expect(title).toBeFocused();
  });
});
