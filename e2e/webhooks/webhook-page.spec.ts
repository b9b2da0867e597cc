import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  factOf,
  figureOf,
  mainAct,
  menuOf,
  openTab,
  openWebhook,
  openWebhooks,
  readSecretOnce,
  readWebhook,
  rowOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

const eventTypes = {
  message: 'A message was written in a conversation.',
  closed: 'A conversation was closed.',
};

test('a webhook’s page shows what is known about it, with a check that can be copied', async ({
  context,
  givenWebhook,
  signedIn: page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const url = `https://hooks.example.com/${'a-long-part-of-an-address/'.repeat(6)}inbound`;
  const { name, uuid } = await givenWebhook({ url, isActive: true, hasSecret: true });
  await openWebhooks(page);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${uuid}$`));
  await expect(page).toHaveTitle(new RegExp(`^${name} · `));

  await expect(page.getByRole('main')).toContainText('Active1 event typeNever triggered');
  await page.getByRole('button', { name: `Copy URL of ${name}` }).click();
  await expect
    .poll(async () => await page.evaluate(() => navigator.clipboard.readText()))
    .toBe(url);

  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByText('Nothing was sent in the last 24 hours.')).toBeVisible();
  await expect(figureOf(page, 'Success of attempts, 24 h')).toHaveText([/None$/, 'No attempts']);
  await expect(figureOf(page, 'Success of deliveries, 24 h')).toHaveText([
    /None$/,
    'No deliveries',
  ]);
  await expect(health.getByRole('slider')).toBeHidden();
  await expectAccessible(page, 'webhook');
  await health.getByRole('radio', { name: '7 d' }).check();
  await expect(health.getByText('Nothing was sent in the last 7 days.')).toBeVisible();

  // Each tab has its own URL, title and data, and the time window stays chosen.
  await openTab(page, 'Settings');
  await expect(health).toBeHidden();
  await openTab(page, 'Overview');
  await expect(health.getByRole('radio', { name: '7 d' })).toBeChecked();
  await openTab(page, 'Settings');
  await expect(page).toHaveURL(`settings/webhooks/${uuid}/settings`);
  await expect(page).toHaveTitle(new RegExp(`^Settings of ${name} · `));
  await expect(health).toBeHidden();
  expect(await factOf(page, 'URL')).toBe(url);
  expect(await factOf(page, 'Last triggered')).toBe('Never');
  expect(await factOf(page, 'Failures')).toBe('None');
  expect(await factOf(page, 'Created')).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d UTC by the key \S/);
  expect(await factOf(page, 'Webhook ID')).toContain(uuid);
  await expect(page.getByRole('listitem').filter({ hasText: eventTypes.message })).toContainText(
    'message.created',
  );
  await expect(page.getByText(/^Not sent: /)).toContainText(
    'conversation.created, conversation.closed',
  );
  await expect(page.getByText(/^Created \d+ \w{3} \d{4}/)).toBeVisible();
  await expectAccessible(page, 'webhook, settings');

  const snippet = page.getByRole('region', { name: 'Signature check for Node' });
  await expect(snippet).toContainText('process.env.MESSAGING_WEBHOOK_SECRET');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'curl' }).click();
  const sample = page.getByRole('region', { name: /^Signed sample/ });
  await expect(sample).toContainText(url);
  await page.getByRole('button', { name: 'Verify a signature' }).click();
  await expect(sample).toBeHidden();
  await expect(page.locator('body')).not.toContainText(/whsec_[A-Za-z0-9+/]/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${uuid}\\?window=7d$`));
  await expect(health.getByText('Nothing was sent in the last 7 days.')).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeVisible();
});

test('a webhook’s name, URL and events can be edited, and errors are shown at their fields', async ({
  api,
  givenWebhook,
  guard,
  named,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await openWebhooks(page);
  await choose(page, webhook.name, 'Edit webhook');
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${webhook.name}` })).toBeVisible();
  await expect(page).toHaveTitle(/^Edit webhook · /);
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toHaveAccessibleDescription('There are no changes to save.');
  const changes = page.getByRole('complementary', { name: 'What changes' });
  await expect(changes.getByRole('listitem')).toHaveText(['Nothing yet']);

  const name = page.getByRole('textbox', { name: 'Name' });
  const address = page.getByRole('textbox', { name: 'URL' });
  await name.fill('');
  await page.getByRole('checkbox', { name: eventTypes.message }).uncheck();
  await save.click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/1 to 100 characters/);
  const events = page.getByRole('radiogroup', { name: 'Events' });
  await expect(events).toHaveAccessibleDescription('Choose at least one event type.');
  await expect(events, 'the error is about all event types').toHaveAttribute(
    'aria-invalid',
    'true',
  );
  const conversations = page.getByRole('group', { name: 'Conversations', exact: true });
  await expect(conversations.getByRole('checkbox')).toHaveCount(3);
  await expect(events.locator('input[aria-invalid]')).toHaveCount(0);
  await expectAccessible(page, 'edit webhook with errors');

  // An error that only the service can find is shown at its field as well.
  const renamed = named('Renamed');
  await name.fill(renamed);
  await save.click();
  await expect(events.locator('input:focus')).toHaveCount(1);
  await expect(events.locator('input:focus'), 'the focus is visible').toHaveCSS(
    'outline-style',
    'solid',
  );
  await page.getByRole('checkbox', { name: eventTypes.closed }).check();
  await address.fill('https://192.168.0.1/in');
  await save.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(address).toHaveValue('https://192.168.0.1/in');
  await expect(name).toHaveValue(renamed);

  const url = 'https://elsewhere.example.com/in';
  await address.fill(url);
  await expect(changes.getByRole('listitem')).toHaveText([
    /name/,
    /new URL/,
    'Sent from now on: conversation.closed',
    'No longer sent: message.created',
  ]);
  await save.click();
  await expect(page.getByRole('heading', { level: 1, name: renamed, exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit webhook' })).toBeFocused();
  expect(await factOf(page, 'URL')).toBe(url);
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({
    name: renamed,
    url,
    events: ['conversation.closed'],
    is_active: true,
  });

  // The test of a key's page shows the same.
  await test.step('an unknown webhook is not found inside the frame', async () => {
    guard.allow(/status of 404/);
    for (const path of ['/edit', '']) {
      await page.goto(`settings/webhooks/0198c2a4-0000-7000-8000-000000000007${path}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
      await expect(page.getByText('or you cannot open it from this account')).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible();
    }
    await page.getByRole('link', { name: 'Go to webhooks' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  });
});

test('only what was touched is changed, so that two people can edit at the same time', async ({
  api,
  givenWebhook,
  named,
  signedIn: page,
}) => {
  const webhook = await givenWebhook();
  await page.goto(`settings/webhooks/${webhook.uuid}/edit`);
  await page.getByRole('textbox', { name: 'URL' }).fill('https://mine.example.com/in');
  const name = named('Renamed by another');
  await api.patch(`/api/v1/webhooks/${webhook.uuid}`, { data: { name } });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({
    name,
    url: 'https://mine.example.com/in',
  });
});

test('on its page the set-up of a webhook is finished, its secret is replaced with time for the old one, it is paused and deleted', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  await openWebhook(page, { name, uuid });
  await expect(page.getByText('The set-up is incomplete')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Health' })).toBeHidden();
  await expectAccessible(page, 'unfinished');
  await expect(page.getByRole('button', { name: /^Finish set-up/ })).toHaveCount(1);
  await mainAct(page, 'Finish set-up').click();
  const first = await readSecretOnce(page);
  expect(first).toMatch(/^whsec_/);
  await expect(mainAct(page, 'Pause')).toBeFocused();
  await expect(page.getByText('The set-up is incomplete')).toBeHidden();
  expect(await readWebhook(api, uuid)).toMatchObject({ status: 'active' });

  await openTab(page, 'Settings');
  const regenerate = page.getByRole('button', { name: 'Regenerate secret' });
  await regenerate.click();
  const regeneration = page.getByRole('dialog', { name: `Regenerate secret of ${name}` });
  await regeneration.getByRole('button', { name: 'Regenerate secret' }).click();
  expect(await readSecretOnce(page)).not.toBe(first);
  await expect(page.getByText(/^The old secret whsec_….{4} also signs until \d/)).toBeVisible();
  await expect(page.getByRole('meter', { name: /old secret/ })).toBeVisible();
  await expect(regenerate).toBeFocused();
  await expectAccessible(page, 'settings with two secrets');
  await openTab(page, 'Overview');
  await expect(page.getByText(/^The old secret signs until \d/)).toBeVisible();
  await expect(page.getByText(/^For 2[34] h/)).toBeVisible();

  await mainAct(page, 'Pause').click();
  await expect(mainAct(page, 'Resume')).toBeFocused();
  await expect(page.getByText(/^Paused since \d/)).toBeVisible();
  expect(await readWebhook(api, uuid)).toMatchObject({ status: 'paused' });
  for (const tab of ['Deliveries', 'Settings', 'Overview'] as const) {
    await openTab(page, tab);
    await expect(page.getByText(/^Paused since \d/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Resume/ })).toHaveCount(1);
  }

  await choose(page, name, `Delete ${name}`);
  const question = page.getByRole('alertdialog', { name: `Delete ${name}`, exact: true });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(menuOf(page, name)).toBeFocused();
  await choose(page, name, `Delete ${name}`);
  await question.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks$/);
  await expect(page.getByText(`${name} deleted`)).toBeVisible();
  await expect(rowOf(page, name)).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  expect((await api.get(`/api/v1/webhooks/${uuid}`)).status()).toBe(404);
});
