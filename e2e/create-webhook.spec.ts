import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { test } from './fixtures.ts';
import { menuOf, rowOf } from './pages/api-keys.ts';
import { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';
import { submitWebhook } from './pages/webhooks.ts';

test('a new webhook is inactive until its secret is saved, and active from then on', async ({
  api,
  named,
  signedIn: page,
}) => {
  const name = named('Order notifier');
  await submitWebhook(page, {
    name,
    url: 'https://example.com/webhooks',
    events: ['A message was written in a conversation.', 'A conversation was closed.'],
  });
  await expect(secretDialog(page).value).toHaveValue(/^whsec_/);
  const uuid = await uuidOf(api, name);
  expect(await webhook(api, uuid)).toMatchObject({ is_active: false });

  await readSecretOnce(page);
  await expect(page).toHaveURL('settings/webhooks');
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(page.getByRole('link', { name, exact: true })).toBeFocused();
  expect(await webhook(api, uuid)).toMatchObject({
    is_active: true,
    status: 'active',
    url: 'https://example.com/webhooks',
    events: ['message.created', 'conversation.closed'],
    secret: { created_at: expect.any(String), was_shown: true, previous_valid_until: null },
  });
});

test('left before its secret is saved, a webhook stays inactive, and the list finishes its set-up', async ({
  api,
  named,
  signedIn: page,
}) => {
  const name = named('Half made');
  await submitWebhook(page, { name, url: 'https://example.com/half' });
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^whsec_/);
  const unsaved = await dialog.value.inputValue();
  await dialog.close.click();
  await page.getByRole('button', { name: 'Close anyway' }).click();

  await expect(page).toHaveURL('settings/webhooks');
  await expect(page.getByRole('link', { name, exact: true })).toBeFocused();
  expect(await webhook(api, await uuidOf(api, name))).toMatchObject({ is_active: false });
  await page.getByRole('button', { name: `Finish set-up of ${name}` }).click();
  const secret = await readSecretOnce(page);
  expect(secret).not.toBe(unsaved);
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(menuOf(page, name)).toBeFocused();
  expect(await webhook(api, await uuidOf(api, name))).toMatchObject({ is_active: true });
});

test('what is wrong with a webhook stands at its fields, and nothing typed is lost', async ({
  signedIn: page,
  worker,
}) => {
  await worker?.control.change({ webhookAllowHttp: false });
  await submitWebhook(page, { name: '', url: 'http://localhost:4000/in', events: [] });

  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/name of 1 to 100 characters/);
  await expect(page.getByRole('group', { name: /^Events/ })).toHaveAccessibleDescription(
    'Choose at least one event type.',
  );

  const address = page.getByRole('textbox', { name: 'Address' });
  await name.fill('Local');
  await page.getByRole('checkbox', { name: 'A conversation was opened.' }).check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription('The address must begin with https://');
  await expect(address).toHaveValue('http://localhost:4000/in');
  await expect(name).toHaveValue('Local');
  await expect(secretDialog(page).root).toBeHidden();
});

type Webhook = { uuid: string; name: string; is_active: boolean };

async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const { data } = (await (await api.get('/api/v1/webhooks')).json()) as { data: Webhook[] };
  return data.find((one) => one.name === name)?.uuid ?? 'none';
}

async function webhook(api: APIRequestContext, uuid: string): Promise<Webhook> {
  const { data } = (await (await api.get(`/api/v1/webhooks/${uuid}`)).json()) as { data: Webhook };
  return data;
}
