import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie } from '@playwright/test';
import {
  askForRotation,
  declineRequest,
  readData,
  reportLeak,
} from 'conversation-service-playwright-kit';
import type { Person } from 'conversation-service-playwright-kit';
import { asDashboard } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { addMember, pageOf, sessionOf } from '../pages/people/members.ts';

const account = 'Requests Ltd';

test.use({ accountName: account });

let ann: Person;
let sam: Cookie[];

/** The test's own page is that of Sam, who has the role support. */
test.beforeEach(async ({ context, service }) => {
  ann = await addMember(service, { name: 'ann', role: 'admin' });
  const person = await addMember(service, { name: 'sam', role: 'support' });
  sam = (await sessionOf(service, person)).cookies;
  await context.addCookies(sam);
});

test('a second request says who was asked already, and requests can be withdrawn and declined', async ({
  browser,
  givenApiKey,
  page: support,
  request,
  service,
}) => {
  const key = await givenApiKey();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await support.route('**/data/listRotators?*', async (route) => {
    await isReleased;
    await route.continue();
  });
  await support.goto(`settings/api-keys/${key.uuid}`);
  await support.getByRole('button', { name: 'Request rotation' }).click();
  await support.getByRole('combobox', { name: 'Ask' }).click();
  await expect(support.getByText('Searching…')).toBeVisible();
  release();
  await expect(support.getByRole('option', { name: /^ann/ })).toBeVisible();
  await support.keyboard.press('Escape');
  // In the meantime, two of them are withdrawn in another tab.
  await requestThreeTimes(request, { service, key });
  await askForRotation(support, {
    member: 'ann',
    reason: 'It is due for rotation',
    note: 'After the release',
  });
  const dialog = support.getByRole('dialog', { name: `Request rotation of ${key.name}` });
  await expect(dialog.getByText('The rotation was not requested')).toBeVisible();
  await expect(dialog).toContainText(
    /You already asked ann to rotate this key\. That request is open until \d+ \w{3} \d{4}/,
  );
  await expect(dialog.getByRole('combobox', { name: 'Ask' })).toHaveText(/ann/);
  await expect(dialog.getByRole('radio', { name: 'It is due for rotation' })).toBeChecked();
  await expect(dialog.getByRole('textbox', { name: /^Note/ })).toHaveValue('After the release');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const open = support.getByText(/^You asked ann to rotate it by \d+ \w{3} \d{4}/);
  const notMailed = support.getByText(
    'ann already received three emails about this key in the last 24 hours',
  );
  await expect(open).toBeVisible();
  await expect(notMailed).toBeHidden();
  await support.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = support.getByRole('alertdialog', { name: 'Withdraw request' });
  await withdrawal.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(support.getByRole('region', { name: 'Notifications' })).toContainText(
    'Request to ann withdrawn',
  );
  await expect(open).toBeHidden();
  await support.getByRole('button', { name: 'Request rotation' }).click();
  await askForRotation(support, { member: 'ann', reason: 'The token is lost' });
  await expect(open).toBeVisible();
  await expect(notMailed).toBeVisible();

  const admin = await pageOf(browser, service, {
    ...ann,
    address: `settings/api-keys/${key.uuid}`,
  });
  await admin.getByRole('button', { name: `Decline to rotate ${key.name}` }).click();
  await declineRequest(admin, { reason: 'Other' });
  await expect(admin.getByText(`sam asks you to rotate ${key.name}`)).toBeHidden();
  await admin.context().close();
  await support.reload();
  await expect(support.getByRole('button', { name: 'Request rotation' })).toBeVisible();
});

test('support reports a leak where it rotates a key; a revocation that comes too late says so, and the page shows that the request has ended', async ({
  api,
  givenApiKey,
  page: support,
}) => {
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await support.goto(`settings/api-keys/${key.uuid}`);
  await expect(support.getByRole('button', { name: 'Revoke now' })).toHaveCount(0);
  await support.getByRole('button', { name: 'Rotate token' }).click();
  await support.getByRole('dialog').getByRole('button', { name: 'Report the leak' }).click();
  await reportLeak(support, { member: 'ann' });
  const revocation = support.getByRole('alertdialog', {
    name: `Revoke ${key.name}`,
    exact: true,
  });
  const rotated = await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, {
    data: { grace_period_seconds: 0 },
  });
  expect(rotated.status()).toBe(201);
  await revocation.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(revocation).toContainText('The key was rotated after this request.');
  await revocation.getByRole('button', { name: 'Not now' }).click();
  await expect(support.getByRole('button', { name: 'Rotate token' })).toBeVisible();
  await expect(support.getByRole('button', { name: 'Revoke now' })).toHaveCount(0);
});

test('a link to rotate a key that one asked about already leads to the open request', async ({
  givenApiKey,
  page: support,
}) => {
  const key = await givenApiKey();
  await support.goto(`settings/api-keys/${key.uuid}?act=rotate`);
  await askForRotation(support, { member: 'ann', reason: 'The token is lost' });
  await expect(support.getByText(/^You asked ann to rotate it/)).toBeVisible();
  await support.goto(`settings/api-keys/${key.uuid}?act=rotate`);
  await expect(support.getByRole('button', { name: 'Withdraw' })).toBeFocused();
});

/**
 * The requests that Sam's other tab sends: three requests to Ann, of which the third stays open.
 */
async function requestThreeTimes(
  request: APIRequestContext,
  { service, key }: { service: Service; key: { uuid: string } },
): Promise<void> {
  const headers = asDashboard(service, sam);
  const path = `/api/dashboard/api-keys/${key.uuid}`;
  const rotators = await readData<{ id: string; name: string }[]>(
    await request.get(`${path}/rotators`, { headers }),
  );
  const member = rotators.find(({ name }) => name === 'ann')?.id;
  for (const isLast of [false, false, true]) {
    const made = await request.post(`${path}/rotation-requests`, {
      headers,
      data: { member, reason: 'lost' },
    });
    expect(made.status()).toBe(201);
    const { uuid } = await readData<{ uuid: string }>(made);
    if (!isLast) await request.delete(`/api/dashboard/rotation-requests/${uuid}`, { headers });
  }
}
