import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, readData, textOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

const byContacts = { '==': [{ var: 'data.message.author' }, 'contact'] };

async function write(api: APIRequestContext, author: string, text: string): Promise<void> {
  const conversations = '/api/v1/conversations';
  const opened = await api.post(conversations, { data: { subject: 'Where is order 1042?' } });
  const { id } = await readData<{ id: number }>(opened);
  const data = { author, text };
  expect((await api.post(`${conversations}/${id}/messages`, { data })).status()).toBe(201);
}

test('a filter is tried while it is typed, leaves out what it should, and Events says which condition did', async ({
  api,
  named,
  receiver,
  signedIn: page,
}) => {
  const name = named('Contacts only');
  await write(api, 'contact', 'Where is my parcel?');
  await write(api, 'agent', 'It was sent today.');
  const created = await api.post('/api/v1/webhooks', {
    data: { name, url: `${receiver.url}/in`, events: ['message.created'] },
  });
  const { uuid } = await readData<{ uuid: string }>(created);
  const rule = page.getByRole('textbox', { name: 'Rule' });
  const dryRun = page.getByRole('region', { name: 'Dry run' });
  const fold = page.locator('summary', { hasText: 'Filter' });

  await test.step('what is no rule is refused at the field, and stays', async () => {
    await page.goto(`settings/webhooks/${uuid}/edit`);
    await expect(fold).toContainText('None: every event is sent');
    await fold.focus();
    await page.keyboard.press('Enter');
    await rule.fill('{"log": "x"}');
    await expect(rule).toHaveAccessibleDescription(/“log” is not an operator/);
    await rule.fill('{"==": [');
    await expect(rule).toHaveAccessibleDescription(/Use a JSON object with one operator/);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(rule).toHaveAccessibleDescription(/Use a JSON object with one operator/);
    await expect(rule).toHaveValue('{"==": [');
    await rule.fill('');
  });

  await test.step('a rule shows what it would send of the last 24 hours, and what changes', async () => {
    await page.getByRole('button', { name: 'Messages from contacts' }).click();
    await expect(rule).toHaveValue(JSON.stringify(byContacts));
    await expect(dryRun.getByRole('status')).toHaveText(
      'Of 2 events in the last 24 h, 1 would be sent. The filter in force sends 2: 0 would be added, and 1 no longer sent.',
    );
    await expect(dryRun).toContainText('Where is my parcel?');
    await expect(dryRun).toContainText('It was sent today.');
    await expect(dryRun).toContainText('data.message.author == "contact"');
    await expectAccessible(page, 'edit webhook, with a filter and its dry run');
    await rule.fill('{"!": []}');
    await expect(rule).toHaveAccessibleDescription(/! takes 1 value/);
    await expect(dryRun, 'the last result stays').toContainText('1 would be sent');
    await rule.fill(JSON.stringify(byContacts));
    await expect(page.getByText('The filter applies to events that happen after')).toBeVisible();
  });

  await test.step('it is saved, and the page of the webhook shows it', async () => {
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page).toHaveURL(/settings$/);
    await expect(page.getByRole('main').getByText(JSON.stringify(byContacts))).toBeVisible();
    await expectAccessible(page, 'webhook with a filter');
  });

  await write(api, 'agent', 'The left shoe is missing.');
  await write(api, 'contact', 'Can I still change the size?');
  expect(textOf(await receiver.received(1))).toBe('Can I still change the size?');

  await test.step('Events says which condition left the message out, and sends it after all', async () => {
    await page.goto('settings/events?type=message.created');
    const events = page.getByRole('main').getByRole('button', { name: /message\.created/ });
    await events.nth(1).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer).toContainText('Filtered out by data.message.author == "contact".');
    await expect(drawer).toContainText('1 filtered it out.');
    await expectAccessible(page, 'a filtered event', drawer);
    await drawer.getByRole('button', { name: 'Send to…' }).click();
    await expect(
      page.getByRole('menuitem', { name: `${name}, although it was filtered out` }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: `Send now to ${name}` }).click();
    expect(textOf(await receiver.received(2))).toBe('The left shoe is missing.');
    await expect(drawer).toContainText('Delivered');
  });

  await test.step('the delivery rate is chosen beside the busiest second', async () => {
    await page.goto(`settings/webhooks/${uuid}/edit`);
    await page.locator('summary', { hasText: 'Delivery rate' }).click();
    await expect(page.getByText(/The busiest second of the last 24 h had [12]\./)).toBeVisible();
  });
});
