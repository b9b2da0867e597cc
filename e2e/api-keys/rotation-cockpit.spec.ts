import { expect } from '@playwright/test';
import {
  bearer,
  expectAccessible,
  openApiKeys,
  proofPrompt,
  proveIdentity,
  secretDialog,
  statusOf,
  submitRotation,
} from 'conversation-service-playwright-kit';
import { hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';

test('a rotation is followed to its end: the dialog sees the first call, and the page says when the old token is safe to end', async ({
  control,
  givenApiKey,
  request,
  service,
  signedIn: page,
}) => {
  test.slow();
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const call = async (token: string) => {
    const response = await request.get('/api/v1/webhooks', { headers: bearer(token) });
    expect(response.status()).toBe(200);
  };
  await call(key.token);
  await submitRotation(page, key.name, 'In 24 hours');
  const dialog = secretDialog(page).root;
  const newToken = await dialog.getByRole('textbox', { name: /token/i }).inputValue();

  await test.step('the dialog turns to verified with the first call', async () => {
    await call(newToken);
    await expect(dialog.getByText(/^Verified: first call at \d\d:\d\d:\d\d/)).toBeVisible();
    await expect(dialog).toContainText('GET /api/v1/webhooks from 127.0.0.1, answered with 200.');
    await expect(page.locator('body')).not.toContainText(newToken);
    await expectAccessible(page, 'verified token', dialog);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  });

  await page.goto(`settings/api-keys/${key.uuid}`);
  const tokens = page.getByRole('region', { name: 'Tokens' }).or(page.getByRole('main'));
  const end = page.getByRole('button', { name: /^End now/ });

  await test.step('while clients use the old token, it is not safe to end', async () => {
    await call(key.token);
    await page.reload();
    await expect(
      tokens.getByText(/^2 calls from 1 address in the last hour\. Not safe to end yet\.$/),
    ).toBeVisible();
    await expect(end).toBeVisible();
    await expectAccessible(page, 'tokens of a rotating key');
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    const ending = page.getByRole('list', { name: 'Old tokens' });
    await expect(ending).toContainText(
      '2 calls from 1 address in the last hour. Not safe to end yet.',
    );
    await expect(ending).toContainText(
      new RegExp(`…${key.token.slice(-4)} ends automatically on .+\\.$`),
    );
    await expectAccessible(page, 'usage of a rotating key');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
  });

  await test.step('its time is extended', async () => {
    await page.getByRole('button', { name: /^Extend/ }).click();
    const question = page.getByRole('dialog', { name: /^Extend token/ });
    await expectAccessible(page, 'extend a token', question);
    await question.getByRole('radio', { name: '7 days longer' }).check({ force: true });
    await question.getByRole('button', { name: /^Extend token/ }).click();
    await expect(question).toBeHidden();
  });

  await test.step('after 6 hours without a call it is safe to end, here and in the list of old tokens', async () => {
    await control.moveClock({ ms: 6 * hourMs });
    await page.reload();
    await expect(tokens.getByText(/The old token was last used .* Safe to end\./)).toBeVisible();
    await openApiKeys(page);
    await page.getByRole('link', { name: 'old tokens' }).click();
    const row = page.getByRole('row', { name: new RegExp(key.name) });
    await expect(row).toContainText('Safe to end.');
    await expectAccessible(page, 'old tokens');
    await row.getByRole('link', { name: /^Open/ }).click();
    await end.click();
    const question = page.getByRole('alertdialog', { name: /^End token/ });
    await question.getByRole('button', { name: /^End token/ }).click();
    await proveIdentity(proofPrompt(page), service.owner);
    await expect(page.getByText(`Token …${key.token.slice(-4)} ended`)).toBeVisible();
  });
  expect(await statusOf(request, key.token)).toBe(401);
  expect(await statusOf(request, newToken)).toBe(200);
});
