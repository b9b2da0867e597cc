import { expect } from '@playwright/test';
import { rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('older revoked keys load below the Revoked filter, also after a failure', async ({
  control,
  guard,
  service,
  signedIn: page,
}) => {
  const oldest = ['Oldest of all', 'Next to oldest'];
  const later = Array.from({ length: 200 }, (_, index) => `Later ${index}`);
  const accountId = service.account.id;
  await control.addRevokedKeys({ accountId, names: [...oldest, ...later] });
  // No key of the list has such a name, so that no more rows are rendered than the test looks at.
  await page.goto('settings/api-keys?q=oldest');
  const count = page.getByRole('search').getByRole('status');
  await expect(count).toHaveText('0 of 201 keys listed');
  await expect(
    page.getByText('Only the 200 most recently revoked or expired keys are listed.'),
  ).toBeVisible();

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Revoked' }).click();
  await expect(count).toHaveText('0 of 201 keys listed');
  await expect(page.getByText('200 revoked keys are loaded, and there may be older')).toBeVisible();
  const load = page.getByRole('button', { name: 'Load older revoked keys' });

  guard.allow(/status of 503/);
  await page.route('**/data/listApiKeys?query.status=revoked*', (route) =>
    route.fulfill({
      status: 503,
      json: {
        success: false,
        error: { code: 'UNAVAILABLE', message: 'The service is not available right now.' },
      },
    }),
  );
  await load.click();
  const failure = page.getByText('The older keys could not be loaded');
  // The browser tries a few times before it gives up.
  await expect(failure).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/data/listApiKeys?query.status=revoked*');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');

  for (const name of oldest) await expect(rowOf(page, name)).toBeVisible();
  await expect(failure).toBeHidden();
  await expect(count).toHaveText('2 of 203 keys listed');
  await expect(page.getByText('All 202 revoked keys are loaded.')).toBeFocused();
  await expect(load).toBeHidden();
});
