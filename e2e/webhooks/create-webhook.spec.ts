import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { test } from '../fixtures.ts';
import { menuOf, rowOf } from '../pages/api-keys.ts';
import { expectVariantAccessible } from '../pages/every-look.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';
import { readWebhook, submitWebhook } from '../pages/webhooks.ts';

test('if it is left before its secret is saved, a webhook stays inactive, and the list finishes its set-up', async ({
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

test('a secret that somebody replaced while it was shown does not activate the webhook', async ({
  api,
  named,
  signedIn: page,
}) => {
  const name = named('Raced');
  await submitWebhook(page, { name, url: 'https://example.com/raced' });
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^whsec_/);
  const uuid = await uuidOf(api, name);
  const replaced = await api.post(`/api/v1/webhooks/${uuid}/regenerate-secret`, {
    data: { grace_period_seconds: 0 },
  });
  expect(replaced.status()).toBe(201);

  await dialog.saved.check();
  await dialog.done.click();
  await expect(dialog.root.getByRole('alert')).toContainText('Do not use this secret');
  await expect(dialog.value).toBeHidden();
  await expectVariantAccessible(page, 'a secret that was replaced while it was shown', dialog.root);
  await page.keyboard.press('Escape');
  await expect(dialog.root).toBeHidden();
  await expect(page).toHaveURL('settings/webhooks');
  await expect(page.getByRole('button', { name: `Finish set-up of ${name}` })).toBeVisible();
  expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
});

async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const { data } = (await (await api.get('/api/v1/webhooks')).json()) as {
    data: { uuid: string; name: string }[];
  };
  return data.find((webhook) => webhook.name === name)?.uuid ?? 'none';
}
