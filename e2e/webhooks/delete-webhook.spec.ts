import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { choose, menuOf, rowOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { openDeletion } from '../pages/webhooks.ts';

test('a webhook is deleted after a question that names it and begins on Cancel, or was deleted meanwhile', async ({
  api,
  givenWebhook,
  named,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ name: named('Aa going') });
  const next = await givenWebhook({ name: named('Ab staying') });
  const question = await openDeletion(page, name);
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

  // Someone else deletes the other one while the question is open.
  await choose(page, next.name, `Delete ${next.name}`);
  const second = page.getByRole('alertdialog', { name: `Delete ${next.name}`, exact: true });
  await expect(second).toBeVisible();
  expect((await api.delete(`/api/v1/webhooks/${next.uuid}`)).status()).toBe(204);
  await second.getByRole('button', { name: `Delete ${next.name}`, exact: true }).click();
  await expect(rowOf(page, next.name)).toBeHidden();
  await expect(second).toBeHidden();
});
