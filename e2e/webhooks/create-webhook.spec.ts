import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { test } from '../fixtures.ts';
import { menuOf, rowOf } from '../pages/api-keys.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';
import { readWebhook, submitWebhook } from '../pages/webhooks.ts';

test('what is wrong with a webhook is said at its fields; made, it is inactive until its secret is saved', async ({
  api,
  named,
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
  await expectAccessible(page, 'create webhook with errors');

  const address = page.getByRole('textbox', { name: 'Address' });
  const create = page.getByRole('button', { name: 'Create webhook' });
  const called = named('Order notifier');
  await name.fill(called);
  await page.getByRole('checkbox', { name: 'A message was written' }).check();
  await page.getByRole('checkbox', { name: 'A conversation was closed.' }).check();
  await create.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription('The address must begin with https://');
  await expect(address).toHaveValue('http://localhost:4000/in');
  await expect(name).toHaveValue(called);
  await expect(secretDialog(page).root).toBeHidden();

  await address.fill('https://example.com/webhooks');
  await create.click();
  await expect(secretDialog(page).value).toHaveValue(/^whsec_/);
  await expectVariantAccessible(page, 'signing secret');
  const uuid = await uuidOf(api, called);
  expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
  await readSecretOnce(page);
  await expect(page).toHaveURL('settings/webhooks');
  await expect(rowOf(page, called)).toContainText('Active');
  await expect(page.getByRole('link', { name: called, exact: true })).toBeFocused();
  expect(await readWebhook(api, uuid)).toMatchObject({
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
  const uuid = await uuidOf(api, name);
  expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
  await page.getByRole('button', { name: `Finish set-up of ${name}` }).click();
  const secret = await readSecretOnce(page);
  expect(secret).not.toBe(unsaved);
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(menuOf(page, name)).toBeFocused();
  expect(await readWebhook(api, uuid)).toMatchObject({ is_active: true });
});

async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const { data } = (await (await api.get('/api/v1/webhooks')).json()) as {
    data: { uuid: string; name: string }[];
  };
  return data.find((webhook) => webhook.name === name)?.uuid ?? 'none';
}
