import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie } from '@playwright/test';
import { hourMs } from '#lib/durations.ts';
import { isRemote, test } from '../fixtures.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { readData } from '../helpers/read-data.ts';
import { bearer } from '../pages/api-keys.ts';
import { asDashboard } from '../pages/people/identity.ts';
import { addMember, pageOf, sessionOf } from '../pages/people/members.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { askForRotation, declineRequest, reportLeak } from '../pages/rotation-requests.ts';
import { readSecretOnce } from '../pages/secret-dialog.ts';
import type { Person } from '../pages/people/sign-in.ts';

const account = 'Requests Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');

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
  // Meanwhile, two of them are withdrawn in another tab.
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

test('the requester and the named member see the same at every step: requested, declined with a reason, requested again, rotated', async ({
  browser,
  control,
  givenApiKey,
  page: support,
  service,
}) => {
  const key = await givenApiKey();
  const ask = async () => {
    await support.goto(`settings/api-keys/${key.uuid}`);
    await support.getByRole('button', { name: 'Request rotation' }).click();
    await askForRotation(support, {
      member: 'ann',
      reason: 'The token is lost',
      note: 'From the old server.',
    });
    await expect(support.getByText(/^You asked ann to rotate it/)).toBeVisible();
  };
  await ask();
  const admin = await pageOf(browser, service, { ...ann, address: 'settings/webhooks' });
  const title = `sam asks you to rotate ${key.name}`;

  await test.step('every page says so, and links to the page of the request', async () => {
    await expect(admin.getByText(title)).toBeVisible();
    await expectAccessible(admin, 'a page with a rotation request');
    await admin.getByRole('link', { name: 'Open request' }).click();
    await expect(admin.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(admin.getByText('Waiting for you')).toBeVisible();
    await expect(admin.getByRole('blockquote')).toHaveText('From the old server.');
    await expect(admin.getByText('Only you see the new token.')).toBeVisible();
    await expectAccessible(admin, 'the page of a rotation request');
  });

  await test.step('the list says until when the request is open', async () => {
    await support.goto('settings/rotation-requests');
    const open = support.getByRole('row').filter({ hasText: 'Waiting for ann' });
    await expect(open.getByText(/^Expires \d/).filter({ visible: true })).toHaveCount(1);
  });

  await test.step('declining requires a reason, which the requester can read', async () => {
    await admin.getByRole('button', { name: 'Decline', exact: true }).click();
    const dialog = admin.getByRole('dialog', { name: 'Decline request' });
    await dialog.getByRole('button', { name: 'Decline request' }).click();
    await expect(dialog.getByText('Choose a reason.')).toBeVisible();
    await declineRequest(admin, {
      reason: 'It was not exposed',
      message: 'A sandbox key.',
    });
    const outcome = 'It was not exposed. “A sandbox key.”';
    await expect(admin.getByText(outcome)).toBeVisible();
    await support.goto('settings/rotation-requests');
    const row = support.getByRole('row').filter({ hasText: key.name });
    await expect(row).toContainText(`Declined${outcome}`);
    await expectAccessible(support, 'rotation requests');
    await support.setViewportSize({ width: 390, height: 844 });
    await expect(row.getByText(/^From you to ann, /)).toBeVisible();
    await expect(row.getByText(outcome).first()).toBeVisible();
    await support.setViewportSize({ width: 1280, height: 800 });
    await row.getByRole('link', { name: key.name }).click();
    await expect(row).toBeHidden();
    await expect(support.getByText(outcome).filter({ visible: true })).toBeVisible();
    await expect(support.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
  });

  await test.step('an open page of the key shows the next request by itself', async () => {
    await admin.clock.install();
    await admin.goto(`settings/api-keys/${key.uuid}`);
    await expect(admin.getByRole('heading', { level: 1, name: key.name })).toBeVisible();
    await ask();
    await admin.clock.runFor(31_000);
    await expect(admin.getByText(title)).toBeVisible();
  });

  await test.step('only the member sees the token; the requester sees that it is done', async () => {
    await admin.goto('settings/rotation-requests');
    await admin.getByRole('row').filter({ hasText: 'Waiting for you' }).getByRole('link').click();
    await admin.getByRole('button', { name: 'Rotate and show token' }).click();
    const question = admin.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
    await question.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    const token = await readSecretOnce(admin);
    expect(token).not.toBe(key.token);
    await expect(admin.getByText('Rotated by ann')).toBeVisible();
    await support.goto('settings/rotation-requests');
    await expect(support.getByRole('row').filter({ hasText: 'Rotated by ann' })).toHaveCount(1);
    await expect(support.locator('body')).not.toContainText(token);
  });

  await test.step('a request that nobody answers expires for both', async () => {
    await ask();
    await control.moveClock({ ms: 72 * hourMs });
    const outcome = 'ann did not rotate the key within 72 hours';
    for (const page of [support, admin]) {
      await page.goto('settings/rotation-requests');
      await expect(page.getByRole('row').filter({ hasText: outcome })).toHaveCount(1);
    }
  });
  await admin.context().close();
});

test('support revokes a key only after reporting a leak', async ({
  givenApiKey,
  page: support,
  request,
}) => {
  const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await request.get('/api/v1/api-key', { headers: bearer(small.token) });
  await support.goto(`settings/api-keys/${small.uuid}`);
  await support.getByRole('button', { name: 'Rotate token' }).click();
  const question = support.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
  await question.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
  const token = await readSecretOnce(support);
  await expect(support.getByText('Older', { exact: true })).toBeVisible();
  await expect(support.getByRole('button', { name: /^End now/ })).toHaveCount(0);
  await expect(support.getByRole('button', { name: 'Revoke now' })).toHaveCount(0);

  await support.getByRole('button', { name: 'Rotate token' }).click();
  await question.getByRole('button', { name: 'Report the leak' }).click();
  await reportLeak(support, { member: 'ann' });
  await support.getByRole('button', { name: 'Not now' }).click();
  await support.getByRole('button', { name: 'Revoke now' }).click();
  await expect(support.getByRole('button', { name: 'Rotate token' })).toHaveCount(0);
  const revocation = support.getByRole('alertdialog', {
    name: `Revoke ${small.name}`,
    exact: true,
  });
  await expect(revocation.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(revocation).toContainText('from 127.0.0.1');
  await expect(revocation).toContainText(`sk_live_…${token.slice(-4)}`);
  await revocation.getByRole('textbox', { name: /^Type the name/ }).fill(small.name);
  await revocation.getByRole('button', { name: `Revoke ${small.name}`, exact: true }).click();
  await expect(support.getByRole('region', { name: 'Notifications' })).toContainText(
    `${small.name} revoked`,
  );
  await expect(support.getByText(/^Revoked on /)).toBeVisible();
  expect(await statusesOf(request, [small.token, token])).toEqual([401, 401]);
});

test('a revocation that comes too late says so, and the page shows that the request has ended', async ({
  api,
  givenApiKey,
  page: support,
}) => {
  const key = await givenApiKey();
  await support.goto(`settings/api-keys/${key.uuid}?act=leak`);
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
  await expect(support.getByRole('button', { name: 'Request rotation' })).toBeVisible();
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

/** The status of the API's response to each of these tokens. */
async function statusesOf(
  request: APIRequestContext,
  tokens: readonly string[],
): Promise<number[]> {
  const responses = tokens.map((token) =>
    request.get('/api/v1/api-key', { headers: bearer(token) }),
  );
  return (await Promise.all(responses)).map((response) => response.status());
}
