import { expect } from '@playwright/test';
import { makeAccount } from './account.ts';
import type { Account } from './account.ts';
import { isRemote, test as base } from './fixtures.ts';
import { openApiKeys, rowOf } from './pages/api-keys.ts';
import { expectAccessible } from './pages/every-look.ts';
import type { WorkerServer } from './worker-server.ts';

let full: Account | null = null;

/** The tests share an account that has many keys. */
const test = base.extend({
  account: async ({ accountName, worker }, use) => {
    if (worker !== null) full ??= await makeFullAccount(worker, accountName);
    await use(full);
  },
});

test.skip(isRemote, 'makes more keys than a real account should have');
test.describe.configure({ mode: 'default' });

const oldest = 'Oldest of all';
const old = [oldest, 'Next to oldest'];

test('revoked keys that the list leaves out are loaded below its Revoked filter', async ({
  signedIn: page,
}) => {
  await openApiKeys(page);
  const count = page.getByRole('search').getByRole('status');
  await expect(count).toHaveText('201 keys listed');
  await expect(
    page.getByText('Only the 200 most recently revoked or expired keys are listed.'),
  ).toBeVisible();

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Revoked' }).click();
  await expect(count).toHaveText('200 of 201 keys listed');
  await expect(rowOf(page, oldest)).toBeHidden();
  await expect(page.getByText('200 revoked keys are loaded, and there may be older')).toBeVisible();

  await page.getByRole('button', { name: 'Load older revoked keys' }).press('Enter');
  for (const name of old) await expect(rowOf(page, name)).toBeVisible();
  await expect(count).toHaveText('202 of 203 keys listed');
  const end = page.getByText('All 202 revoked keys are loaded.');
  await expect(end).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load older revoked keys' })).toBeHidden();

  await page.getByRole('searchbox', { name: 'Search keys' }).fill(oldest);
  await expect(count).toHaveText('1 of 203 keys listed');
  await expect(rowOf(page, oldest)).toBeVisible();
});

test('the button for older keys and what it says are accessible', async ({ signedIn: page }) => {
  await page.goto('settings/api-keys?status=revoked&q=Later+19');
  await expect(page.getByRole('button', { name: 'Load older revoked keys' })).toBeVisible();
  await expectAccessible(page, 'revoked keys of which some are not loaded');
});

test('a page of older keys that cannot be read says so and is asked for again', async ({
  signedIn: page,
  guard,
}) => {
  await page.goto('settings/api-keys?status=revoked');
  const load = page.getByRole('button', { name: 'Load older revoked keys' });
  await expect(load).toBeVisible();
  guard.allow(/status of 503/);
  await page.route('**/data/api-keys?status=revoked*', (route) =>
    route.fulfill({
      status: 503,
      json: {
        success: false,
        error: { code: 'UNAVAILABLE', message: 'The service is not available right now.' },
      },
    }),
  );
  await load.click();
  const failure = page.getByText('The older keys could not be read');
  // The browser tries a few times before it gives up.
  await expect(failure).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/data/api-keys?status=revoked*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toBeHidden();
  await expect(page.getByText('All 202 revoked keys are loaded.')).toBeVisible();
});

async function makeFullAccount(worker: WorkerServer, name: string): Promise<Account> {
  const account = await makeAccount(worker, name);
  const later = Array.from({ length: 200 }, (_, index) => `Later ${index}`);
  await worker.control.addRevokedKeys({ accountId: account.id, names: [...old, ...later] });
  return account;
}
