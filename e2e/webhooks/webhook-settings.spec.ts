import { expect } from '@playwright/test';
import {
  expectAccessible,
  linkIn,
  readSecretOnce,
  readWebhook,
  uuidOf,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a webhook for all event types with a header and a delivery rate receives them so, and the value of the header is never shown again', async ({
  api,
  named,
  receiver,
  service,
  signedIn: page,
}) => {
  const name = named('Gateway');
  const { worker } = service;
  const value = 'Bearer s3cr3t-value';
  const contact = `${crypto.randomUUID()}@example.com`;
  const fold = (title: string) => page.locator('summary', { hasText: title });
  const save = page.getByRole('button', { name: 'Save changes' });

  await test.step('it is created with these settings', async () => {
    await page.goto('settings/webhooks/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/in`);
    await expect(page.getByRole('radio', { name: /^All event types/ })).toBeChecked();
    await fold('Headers').click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Name of header 1' }).fill('Content-Type');
    await page.getByRole('textbox', { name: 'Value of Content-Type' }).fill(value);
    await fold('Contact for failures').click();
    await page.getByRole('textbox', { name: 'Contact for failures' }).fill(contact);
    await fold('Delivery rate').click();
    await page.getByRole('textbox', { name: 'At most' }).fill('20');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const header = page.getByRole('textbox', { name: 'Name of Content-Type' });
    await expect(header).toHaveAccessibleDescription(/The service sets this header itself/);
    await expectAccessible(page, 'create webhook, with a refused header');
    await header.fill('Authorization');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await readSecretOnce(page);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });

  await test.step('its deliveries carry the header, and the page of a delivery hides the value', async () => {
    await writeMessage(api, 'It was due on Monday.');
    await receiver.received(2);
    expect(receiver.requests.map(({ headers }) => headers['authorization'])).toEqual([
      value,
      value,
    ]);
    const types = receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.toSorted()).toEqual(['conversation.created', 'message.created']);
    const uuid = await uuidOf(api, name);
    expect(await readWebhook(api, uuid)).toMatchObject({
      all_events: true,
      header_names: ['Authorization'],
      max_deliveries_per_second: 20,
    });
  });

  await test.step('its contact confirms the address with the link of an email', async () => {
    const subject = 'Confirm that you want to be told of webhook failures';
    await page.goto(linkIn(await worker.readMail({ to: contact, subject }), 'confirm-contact'));
    await expectAccessible(page, 'confirm the contact of a webhook');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'Address confirmed' })).toBeVisible();
    await expect(page, 'the token leaves the address').toHaveURL('/confirm-contact');
    const uuid = await uuidOf(api, name);
    expect(await readWebhook(api, uuid)).toMatchObject({
      contact: { email: contact, is_confirmed: true },
    });
    await page.goto(`settings/webhooks/${uuid}/edit`);
  });

  await test.step('the form keeps the value, and asks for it again when the URL has another origin', async () => {
    await expect(page.getByText('The value is sealed.')).toBeAttached();
    await expectAccessible(page, 'edit webhook, with a sealed header');
    await page.getByRole('radio', { name: /^Chosen types/ }).check();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://elsewhere.example.com/in');
    const again = page.getByRole('textbox', { name: 'Value of Authorization' });
    await expect(again).toHaveValue('');
    await save.click();
    await expect(again).toHaveAccessibleDescription(/Enter a value/);
    await again.fill('Bearer other');
    await save.click();
    await expect(page).toHaveURL(/settings\/webhooks\/[^/]+\/settings$/);
    await expect(page.getByText('Authorization', { exact: true })).toBeVisible();
    await expect(page.getByText('At most 20 a second')).toBeVisible();
    expect(await readWebhook(api, await uuidOf(api, name))).toMatchObject({ all_events: false });
    expect(await page.content()).not.toContain('s3cr3t');
  });
});
