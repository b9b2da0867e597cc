import { expect } from '@playwright/test';
import { expectAccessible, openRotation, rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a browser without network says that it is offline, not that the service is away, and continues by itself when it is back', async ({
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  const { name } = await givenApiKey();
  const question = await openRotation(page, name);
  const offline = page.getByText('You are offline', { exact: true });
  const away = page.getByText('The service cannot be reached', { exact: true });
  await expect(offline).toBeHidden();

  await page.context().setOffline(true);
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const refusal = question.getByRole('alert');
  await expect(refusal).toContainText('You are offline. Try again when you are back online.');
  await expect(refusal).not.toContainText('The service is not available');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(offline).toBeVisible();
  await expectAccessible(page, 'keys, offline');
  await expect(rowOf(page, name)).toBeVisible();

  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Loading webhooks' })).toBeVisible();
  await expect(offline).toBeVisible();
  await expect(away).toBeHidden();

  await page.context().setOffline(false);
  await expect(offline).toBeHidden();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
  await expect(away).toBeHidden();
});
