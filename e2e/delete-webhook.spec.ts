import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { menuOf, rowOf } from './pages/api-keys.ts';
import { openDeletion } from './pages/webhooks.ts';

test('a webhook is deleted after a question that names it and begins on Cancel', async ({
  api,
  givenWebhook,
  named,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ name: named('Aa going') });
  const next = await givenWebhook({ name: named('Ab staying') });
  const question = await openDeletion(page, name);
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

test('a deletion that is not meant deletes nothing', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  const question = await openDeletion(page, name);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(rowOf(page, name)).toBeVisible();
  await expect(menuOf(page, name)).toBeFocused();
  expect((await api.get(`/api/v1/webhooks/${uuid}`)).status()).toBe(200);
});

test('a webhook that someone else deleted meanwhile leaves the list without a complaint', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  const question = await openDeletion(page, name);
  expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
  await question.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await expect(rowOf(page, name)).toBeHidden();
  await expect(question).toBeHidden();
});
