import { expect } from '@playwright/test';
import {
  deliveryDrawer,
  expectAccessible,
  openApiKeys,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { broken, rateLimited } from '../helpers/error-responses.ts';

test('the palette says that it searches, reads again what it could not read, copies the link of a delivery that it finds, sends it again, and opens the dialog to invite a member', async ({
  api,
  apiProxy,
  context,
  givenApiKey,
  givenWebhook,
  guard,
  receiver,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { name } = await givenApiKey();
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Where is it?');
  const { headers } = await receiver.received(1);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let isBroken = true;
  apiProxy.respondTo('GET', /^\/api\/v1\/api-keys(\?|$)/, async ({ pass }) => {
    await isReleased;
    return isBroken ? broken() : await pass();
  });
  await page.goto('settings/profile');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const search = palette.getByRole('combobox', { name: 'Search, or paste an ID' });
  const find = async (text: string) => {
    await page.keyboard.press('Control+K');
    await search.fill(text);
  };

  await test.step('while it searches it says so, and data that it could not read can be read again', async () => {
    await find(name);
    await expect(palette.getByText('Searching…')).toBeVisible();
    const nothing = palette.getByText('No results.');
    await expect(nothing).toBeHidden();
    release();
    await expect(palette.getByText('The API keys could not be loaded')).toBeVisible();
    await expect(nothing).toBeHidden();
    isBroken = false;
    await palette.getByRole('button', { name: 'Try again' }).click();
    await expect(palette.getByRole('option', { name })).toBeVisible();
    await expect(palette.getByRole('button', { name: 'Try again' })).toBeHidden();
  });

  await test.step('it copies the link of a delivery, and sends it again', async () => {
    await search.fill(String(headers['webhook-id']));
    const found = palette.getByRole('option', { name: `message.created to ${webhook.name}` });
    await expect(found).toContainText(/\d{4}, .* · http.*Delivered/);
    await palette.getByRole('option', { name: 'Copy delivery link' }).click();
    await expect(palette.getByText('The link is copied.')).toBeVisible();
    const link = await page.evaluate(async () => await navigator.clipboard.readText());
    expect(link).toContain(`${service.home}settings/webhooks/${webhook.uuid}/deliveries?delivery=`);
    await palette.getByRole('option', { name: 'Send again' }).click();
    await receiver.received(2);
    await expect(page).toHaveURL(link);
    await expect(deliveryDrawer(page)).toBeVisible();
  });

  await test.step('it opens the dialog to invite a member, from another page and from that of the team', async () => {
    const inviting = page.getByRole('dialog', { name: 'Invite member' });
    const places = [/\/deliveries/, /\/settings\/team$/];
    for (const from of places) {
      await expect(page).toHaveURL(from);
      await find('invite');
      await page.keyboard.press('Enter');
      await expect(inviting).toBeVisible();
      await expect(page).toHaveURL('settings/team');
      await inviting.getByRole('button', { name: 'Cancel' }).click();
      await expect(inviting).toBeHidden();
    }
  });
});

test('Ctrl K finds a key by a pasted token and a delivery by its webhook-id, and what was open comes first next time', async ({
  api,
  apiProxy,
  givenApiKey,
  givenWebhook,
  guard,
  receiver,
  signedIn: page,
}) => {
  guard.allow(/status of 429/);
  const key = await givenApiKey();
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openApiKeys(page);
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const search = palette.getByRole('combobox', { name: 'Search, or paste an ID' });
  await expect(search).toBeFocused();
  await expect(palette.getByRole('option', { name: webhook.name })).toBeVisible();
  await expectAccessible(page, 'command palette', palette);

  await search.fill(key.token);
  await expect(search, 'of a token only its end is kept').toHaveValue(`…${key.token.slice(-4)}`);
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  // The page's skeleton already has its heading.
  await expect(page).toHaveURL(`settings/api-keys/${key.uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();

  await page.getByRole('button', { name: 'Search' }).click();
  await search.fill('no such thing');
  await expect(palette.getByRole('option')).toHaveCount(0);
  await expect(palette).toContainText('No results.');
  await search.fill(webhook.uuid);
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`settings/webhooks/${webhook.uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: webhook.name })).toBeVisible();

  await page.keyboard.press('Control+K');
  await expect(palette.getByRole('group').first()).toHaveAccessibleName('Recent');
  await expect(palette.getByRole('option').first()).toContainText(key.name);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  await page.clock.install();
  await page.reload();
  await writeMessage(api, 'Where is it?');
  const { headers } = await receiver.received(1);
  await page.keyboard.press('Control+K');
  await expect(palette.getByRole('group').first()).toHaveAccessibleName('Recent');
  await search.fill(`webhook-id: ${String(headers['webhook-id'])}`);
  const found = palette.getByRole('option', { name: 'message.created' });
  await expect(found).toContainText(webhook.name);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  const drawer = deliveryDrawer(page);
  await expect(drawer.getByText(String(headers['webhook-id'])).first()).toBeVisible();

  // A drawer does not block the page, so the palette opens beside it.
  await page.keyboard.press('Control+K');
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(drawer).toBeVisible();
  apiProxy.respondTo('GET', /\/deliveries\?/, () => rateLimited(47));
  await page.clock.fastForward('00:04');
  const limited = page.getByText('Too many requests', { exact: true });
  await expect(limited).toBeVisible();
  apiProxy.reset();
  await page.clock.fastForward('00:50');
  await expect(limited).toBeHidden();
  await expect(drawer).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toBeHidden();

  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toContainText('Search the list');
  await page.keyboard.press('Control+K');
  await expect(palette, 'one dialog at a time').toBeHidden();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
});
