import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { secretDialog, signIn } from 'conversation-service-playwright-kit';
import { hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';
import { runAdmin } from '../helpers/operator.ts';

test.use({ accountName: 'Patient Ltd' });

test('a key that is being created shows its token, even if the account requires a second factor in the meantime', async ({
  control,
  guard,
  named,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 403/);
  const { id: accountId, name: accountName } = service.account;
  await page.clock.install();
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(named('Nightly'));
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  const held = await holdNextResponse(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await held.arrived;

  await control.requireSecondFactor({ accountId });
  await readSessionAgain(page);
  const asked = page.getByRole('heading', { name: `${accountName} requires a second factor` });
  await expect(asked).toBeHidden();
  held.deliver();
  await saveToken(page);
  await expect(asked).toBeVisible();
});

test('a token stays on the screen when installation support is asked for a new reason in the meantime', async ({
  browser,
  control,
  givenApiKey,
  guard,
  service,
}) => {
  guard.allow(/status of 403/);
  const { account, worker } = service;
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const email = `priya@${account.domain}`;
  const added = await runAdmin(worker.server, 'add-support', email);
  const password = /^ {2}(\S+)$/m.exec(added)?.[1] ?? '';
  const context = await browser.newContext({ baseURL: service.origin });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`/a/${account.id}/settings/api-keys/${key.uuid}`);
  await signIn(page, { email, password });
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4812');
  await page.getByRole('button', { name: 'Open account' }).click();
  await page.getByRole('button', { name: 'Rotate token' }).click();
  await page.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  await expect(secretDialog(page).value).toHaveValue(/^sk_live_/);

  // The session, which ends after 12 hours without use, is used in between.
  for (const ms of [6 * hourMs, 6 * hourMs]) {
    await control.moveClock({ ms });
    await readSessionAgain(page);
  }
  await saveToken(page);
  await expect(
    page.getByRole('heading', { name: 'Why are you opening Patient Ltd?' }),
  ).toBeVisible();
  await context.close();
  await runAdmin(worker.server, 'remove-support', email);
});

/**
 * Makes the page read the session again, as when another tab has signed in, and waits until it has
 * reacted.
 */
async function readSessionAgain(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto('/sign-in');
  const refetch = page.waitForResponse(/\/data\/getSession$/);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes no target
  await other.evaluate(() => new BroadcastChannel('session').postMessage(null));
  await (await refetch).finished();
  await other.close();
  await page.clock.runFor(1000);
}

async function saveToken(page: Page): Promise<void> {
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  await dialog.saved.check();
  await dialog.root.getByRole('button', { name: 'Done' }).click();
}
