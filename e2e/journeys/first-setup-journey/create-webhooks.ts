import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  choose,
  expectAccessible,
  goTo,
  menuOf,
  openTab,
  readSecretOnce,
  readWebhook,
  rowOf,
  secretDialog,
  uuidOf,
} from 'conversation-service-playwright-kit';
import type { Control } from 'conversation-service-playwright-kit';
import { test } from '../../fixtures.ts';
import type { Key } from './create-keys.ts';

const run = promisify(execFile);

type NamedWebhook = { name: string; uuid: string };
export type SignedWebhook = NamedWebhook & { secret: string };

/** Creates a webhook with the command in the empty list, and a secret for it on its page. */
export async function createByCommand(
  page: Page,
  { api, key }: { api: APIRequestContext; key: Key },
): Promise<NamedWebhook> {
  const name = 'Order notifier';

  await test.step('with no webhooks yet, the list shows a command that creates one without changes', async () => {
    await goTo(page, 'Webhooks');
    await expect(page.getByRole('heading', { level: 2, name: 'No webhooks yet' })).toBeVisible();
    await expect(page).toHaveTitle(/^Webhooks · /);
    await expect(page.getByRole('link', { name: 'Create webhook' })).toHaveCount(1);
    await expectAccessible(page, 'no webhooks');
    const command = page.getByRole('region', { name: 'Or create one with an API key' });
    const env = { ...process.env, MESSAGING_API_KEY: key.token, no_proxy: '*' };
    const { stdout } = await run('sh', ['-c', (await command.textContent()) ?? ''], { env });
    const [secret = '', webhook = ''] = stdout.split(/(?<=\})(?=\{)/);
    expect(JSON.parse(secret)).toMatchObject({
      data: { secret: expect.stringMatching(/^whsec_/) },
    });
    const created = JSON.parse(webhook) as { data: { uuid: string; status: string } };
    expect(created).toMatchObject({ data: { status: 'active', secret: { was_shown: true } } });
    await page.reload();
    await expect(rowOf(page, 'Order notifier')).toContainText('Active');
    const path = '/api/v1/webhooks';
    expect((await api.delete(`${path}/${created.data.uuid}`)).status()).toBe(204);
    const data = { name, url: 'https://example.com/webhooks', events: ['message.created'] };
    expect((await api.post(path, { data })).status()).toBe(201);
    await page.reload();
    await expect(rowOf(page, name)).toContainText('Secret never shown');
  });

  return await test.step('its page says that nobody has its secret until one is shown, which alone signs from then on', async () => {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByText('Active, secret never shown')).toBeVisible();
    await expect(page.getByText('The signing secret was never shown')).toBeVisible();
    await page.getByRole('button', { name: `Generate secret of ${name}` }).click();
    const question = page.getByRole('dialog', { name: `Generate secret of ${name}` });
    await expect(question.getByRole('radio'), 'there is no old one to end').toHaveCount(0);
    await question.getByRole('button', { name: 'Generate secret' }).click();
    const { root } = secretDialog(page);
    await expect(root).toContainText('Deliveries are signed with it from now on.');
    expect(await readSecretOnce(page)).toMatch(/^whsec_/);
    await expect(page.getByText('The signing secret was never shown')).toBeHidden();
    await openTab(page, 'Settings');
    await expect(page.getByRole('main').getByText(/^Created \d.* UTC\.$/)).toBeVisible();
    const uuid = uuidIn(page.url());
    expect((await readWebhook(api, uuid)).secret).toMatchObject({
      was_shown: true,
      previous_valid_until: null,
    });
    return { name, uuid };
  });
}

/** Creates a webhook through the form, which is opened from the list. */
export async function createInForm(
  page: Page,
  { api, control, url }: { api: APIRequestContext; control: Control; url: string },
): Promise<SignedWebhook> {
  const called = 'Orders to the warehouse';
  const name = page.getByRole('textbox', { name: 'Name' });
  const address = page.getByRole('textbox', { name: 'URL' });
  const create = page.getByRole('button', { name: 'Create webhook' });
  await goTo(page, 'Webhooks');

  await test.step('errors in a webhook are shown at their fields', async () => {
    await control.change({ webhookAllowHttp: false });
    await page.getByRole('link', { name: 'Create webhook' }).click();
    await address.fill('http://localhost:4000/in');
    await page.getByRole('radio', { name: 'Chosen types' }).check();
    await create.click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/name of 1 to 100 characters/);
    await expect(page.getByRole('radiogroup', { name: 'Events' })).toHaveAccessibleDescription(
      'Choose at least one event type.',
    );
    await expect(address).toHaveAccessibleDescription('The URL must begin with https://');
    await expectAccessible(page, 'create webhook with errors');
    await name.fill(called);
    await page.getByRole('checkbox', { name: 'A message was written' }).check();
    await page.getByRole('checkbox', { name: 'A conversation was closed.' }).check();
    await create.click();
    await expect(address).toBeFocused();
    await expect(address).toHaveAccessibleDescription('The URL must begin with https://');
    await expect(address).toHaveValue('http://localhost:4000/in');
    await expect(name).toHaveValue(called);
    await expect(secretDialog(page).root).toBeHidden();
    await control.change({ webhookAllowHttp: true });
  });

  return await test.step('it is inactive until its secret is saved, and then its page opens with the focus on the first test', async () => {
    await address.fill(url);
    await create.click();
    await expect(secretDialog(page).value).toHaveValue(/^whsec_/);
    await expectAccessible(page, 'signing secret');
    const uuid = await uuidOf(api, called);
    expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
    const secret = await readSecretOnce(page);
    await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${uuid}$`));
    await expect(page.getByRole('heading', { level: 1, name: called })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send a test event' })).toBeFocused();
    await expectAccessible(page, 'the page of a new webhook');
    expect(await readWebhook(api, uuid)).toMatchObject({
      is_active: true,
      status: 'active',
      url,
      events: ['message.created', 'conversation.closed'],
      secret: { created_at: expect.any(String), was_shown: true, previous_valid_until: null },
    });
    return { name: called, uuid, secret };
  });
}

/** Deletes a webhook in the list; `next` is the one below it. */
export async function deleteWebhook(
  page: Page,
  { api, going, next }: { api: APIRequestContext; going: NamedWebhook; next: { name: string } },
): Promise<void> {
  const { name, uuid } = going;
  await test.step('a webhook is deleted after a question that names it and has the focus on Cancel; the next one then has the focus', async () => {
    const question = page.getByRole('alertdialog', { name: `Delete ${name}`, exact: true });
    await goTo(page, 'Webhooks');
    // As after the questions about keys, Escape closes it without any effect.
    await choose(page, name, `Delete ${name}`);
    await expectAccessible(page, 'delete a webhook', question);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(menuOf(page, name)).toBeFocused();
    expect((await api.get(`/api/v1/webhooks/${uuid}`)).status()).toBe(200);

    await choose(page, name, `Delete ${name}`);
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(question).toHaveAccessibleDescription(/cannot be undone/);
    await expect(question).toContainText('https://example.com/webhooks');
    await expect(question).toContainText('Never');
    await question.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await expect(question).toBeHidden();
    await expect(rowOf(page, name)).toBeHidden();
    await expect(page.getByText(`${name} deleted`)).toBeVisible();
    await expect(menuOf(page, next.name)).toBeFocused();
    expect((await api.get(`/api/v1/webhooks/${uuid}`)).status()).toBe(404);
  });
}

/** For the webhook whose page is at this URL. */
function uuidIn(address: string): string {
  return /\/webhooks\/([\da-f-]{36})/.exec(address)?.[1] ?? 'none';
}
