import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  choose,
  expectAccessible,
  readSecretOnce,
  rowOf,
  secretDialog,
  submitRotation,
} from 'conversation-service-playwright-kit';
import type { SecretDialog } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { broken } from '../helpers/error-responses.ts';

test('an unconfirmed token is shown as such; its rotation can be undone, or a new token shown in its place; one that was replaced in the meantime is not called saved', async ({
  api,
  apiProxy,
  givenApiKey,
  guard,
  named,
  request,
  signedIn: page,
}) => {
  const { name, uuid, token: oldToken } = await givenApiKey({ name: named('Production') });
  await submitRotation(page, name);
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const token = await dialog.value.inputValue();
  const callWith = (made: string) =>
    request.get('/api/v1/api-key', { headers: { Authorization: `Bearer ${made}` } });
  await closeUnsaved(page, dialog);
  await expect(rowOf(page, name)).toContainText('Unconfirmed');
  await expect(rowOf(page, name)).toContainText('Token not confirmed');
  await page.getByRole('link', { name, exact: true }).click();
  const panel = page.getByRole('region', { name: 'Token not confirmed' });
  await expect(panel).toContainText(`…${token.slice(-4)} was shown to`);
  await expect(panel).toContainText(`…${oldToken.slice(-4)} is the only token again`);
  await expectAccessible(page, 'key with an unconfirmed token', panel);

  await panel.getByRole('button', { name: 'Undo rotation' }).click();
  const question = page.getByRole('alertdialog', { name: `Undo rotation of ${name}` });
  await expectAccessible(page, 'undo a rotation', question);
  await question.getByRole('button', { name: 'Undo rotation' }).click();
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
    `Rotation of ${name} undone`,
  );
  await expect(question).toBeHidden();
  await expect(panel).toBeHidden();
  const byOld = await callWith(oldToken);
  expect(byOld.status()).toBe(200);
  expect(byOld.headers()['api-key-expires'], 'it ends no more').toBeUndefined();
  expect((await callWith(token)).status()).toBe(401);

  await page.getByRole('button', { name: 'Rotate token' }).click();
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const lost = await dialog.value.inputValue();
  await closeUnsaved(page, dialog);
  const end = (await callWith(oldToken)).headers()['api-key-expires'];
  expect(end).toBeDefined();
  await page.getByRole('button', { name: 'Rotate token' }).click();
  const rotation = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(rotation).toContainText('Token not confirmed');
  await rotation.getByRole('button', { name: 'show a new token' }).click();
  const replacement = page.getByRole('alertdialog', { name: `Show a new token of ${name}` });
  await replacement.getByRole('button', { name: 'Show a new token' }).click();

  // The dialog closes even if the service cannot record that the token is saved.
  guard.allow(/confirm-token|500/);
  let isBroken = true;
  apiProxy.respondTo('POST', /\/confirm-token$/, ({ pass }) => (isBroken ? broken() : pass()));
  const shown = await readSecretOnce(page);
  await expect(page.getByText(/could not be confirmed/)).toBeVisible();
  await expect(panel).toContainText(`…${shown.slice(-4)} was shown to`);
  isBroken = false;
  await panel.getByRole('button', { name: 'I have this token' }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByText('The token is confirmed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  expect((await callWith(oldToken)).headers()['api-key-expires']).toBe(end);
  expect((await callWith(lost)).status()).toBe(401);
  expect((await callWith(shown)).status()).toBe(200);
  await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
  await expect(rowOf(page, name)).toContainText('Rotating');

  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const rotated = await api.post(`/api/v1/api-keys/${uuid}/rotate`, {
    data: { grace_period_seconds: 0 },
  });
  expect(rotated.status()).toBe(201);
  await dialog.saved.check();
  await dialog.done.click();
  await expect(dialog.root.getByRole('alert')).toContainText('Do not use this token');
  await expect(dialog.value).toBeHidden();
  await dialog.root.getByRole('button', { name: 'Close' }).click();
  await expect(dialog.root).toBeHidden();
  await expect(page.getByText(/could not be confirmed/)).toBeHidden();
});

/** Leaves the dialog without ticking that the token is saved. */
async function closeUnsaved(page: Page, dialog: SecretDialog): Promise<void> {
  await dialog.close.click();
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await expect(dialog.root).toBeHidden();
}
