import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { readData } from 'conversation-service-playwright-kit';
import { asDashboard, askOwnerForRotation } from '../helpers/as-dashboard.ts';
import { hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { addMember, pageOf, sessionOf } from '../pages/people/members.ts';
import { broken } from '../helpers/error-responses.ts';

test.use({ accountName: 'Stuck Ltd' });

test('the page of a rotation request says that its key could not be loaded, and reads it again on request', async ({
  apiProxy,
  givenApiKey,
  guard,
  request,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const key = await givenApiKey();
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const asker = (await sessionOf(service, sam)).cookies;
  await askOwnerForRotation(request, { service, asker, uuid: key.uuid });

  apiProxy.respondTo('GET', new RegExp(`/api-keys/${key.uuid}$`), () => broken());
  await openRequest(page, key.name);
  await expect(page.getByText('The key could not be loaded')).toBeVisible();
  await expect(page.getByText('Last used')).toBeHidden();
  const rotate = page.getByRole('button', { name: 'Rotate and show token' });
  await expect(rotate).toBeHidden();
  apiProxy.reset();
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await expect(rotate).toBeVisible();
  await expect(page.getByText('Last used')).toBeVisible();
});

test('an expired rotation request offers no actions, and a request that was withdrawn elsewhere is not rotated and says so', async ({
  browser,
  givenApiKey,
  request,
  service,
}) => {
  const key = await givenApiKey();
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const asker = (await sessionOf(service, sam)).cookies;
  await askOwnerForRotation(request, { service, asker, uuid: key.uuid });
  const page = await pageOf(browser, service, service.owner);
  await page.clock.install();
  await openRequest(page, key.name);
  const rotate = page.getByRole('button', { name: 'Rotate and show token' });
  const decline = page.getByRole('button', { name: 'Decline', exact: true });
  await expect(decline).toBeVisible();

  await withdrawAll(request, { service, asker });
  await decline.click();
  const declining = page.getByRole('dialog', { name: 'Decline request' });
  await declining.getByRole('radio', { name: 'Other', exact: true }).check();
  await declining.getByRole('button', { name: 'Decline request' }).click();
  await expect(declining).toContainText('This request was withdrawn.');
  await declining.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Withdrawn')).toBeVisible();
  await expect(rotate).toBeHidden();

  await askOwnerForRotation(request, { service, asker, uuid: key.uuid });
  await openRequest(page, key.name);
  await expect(rotate).toBeVisible();
  await page.clock.setSystemTime(Date.now() + 73 * hourMs);
  await page.clock.runFor(61_000);
  await expect(page.getByText('Expired')).toBeVisible();
  await expect(rotate).toBeHidden();
  await expect(decline).toBeHidden();
  await page.context().close();
});

/** Opens the newest rotation request of a key. */
async function openRequest(page: Page, keyName: string): Promise<void> {
  await page.goto('settings/rotation-requests');
  await page
    .getByRole('row')
    .filter({ hasText: keyName })
    .filter({ hasText: 'Waiting for you' })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /asks you to rotate/ })).toBeVisible();
}

/** Withdraws every open request, as its requester does in another tab. */
async function withdrawAll(
  request: Parameters<typeof askOwnerForRotation>[0],
  { service, asker }: Pick<Parameters<typeof askOwnerForRotation>[1], 'service' | 'asker'>,
): Promise<void> {
  const headers = asDashboard(service, asker);
  const response = await request.get('/api/dashboard/rotation-requests', { headers });
  const data = await readData<{ uuid: string }[]>(response);
  for (const { uuid } of data) {
    const ended = await request.delete(`/api/dashboard/rotation-requests/${uuid}`, { headers });
    expect(ended.status()).toBe(204);
  }
}
