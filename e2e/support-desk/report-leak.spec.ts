import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  askForRotation,
  declineRequest,
  expectAccessible,
  menuOf,
  readSecretOnce,
  reportLeak,
  rowOf,
  statusOf,
} from 'conversation-service-playwright-kit';
import type { Person } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { addAccounts, addMember, pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Leaks Ltd' });

const leaked = 'The token may have leaked';

test('an owner who reports a leak ends the token immediately or revokes the key, and so does a member who is asked because of a leak', async ({
  browser,
  givenApiKey,
  request,
  service,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  await openDeskTo(service, service.owner);
  await paste(page, key.token);
  const main = page.getByRole('main');
  await expect(main).toContainText('Report leak rotates the key and ends this token immediately');
  await main.getByRole('link', { name: 'Report leak' }).click();
  const rotation = page.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(rotation.getByRole('radio', { name: 'Now' })).toBeChecked();
  await expect(rotation).toContainText('“Now” is selected because the token may have leaked.');

  await test.step('revoking the key instead fills in the reason', async () => {
    await rotation.getByRole('button', { name: 'revoke the key instead' }).click();
    const revocation = page.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
    await expect(revocation.getByRole('textbox', { name: 'Reason' })).toHaveValue('Leaked');
    await revocation.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a rotation on a request ends the token as well', async () => {
    const sam = await addMember(service, { name: 'sam', role: 'support' });
    const support = await pageOf(browser, service, {
      ...sam,
      address: `settings/api-keys/${key.uuid}`,
    });
    await support.getByRole('button', { name: 'Request rotation' }).click();
    await askForRotation(support, { member: 'ada', reason: leaked });
    const offer = support.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
    await expect(offer).toContainText(`ada was asked to rotate ${key.name}`);
    await offer.getByRole('button', { name: 'Not now' }).click();
    await expect(support.getByText(/^You asked ada to rotate it/)).toBeVisible();
    await support.context().close();

    await page.goto('settings/rotation-requests');
    await page.getByRole('row').filter({ hasText: key.name }).getByRole('link').click();
    await page.getByRole('button', { name: 'Rotate and show token' }).click();
    await expect(rotation.getByRole('radio', { name: 'Now' })).toBeChecked();
    await rotation.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    await readSecretOnce(page);
    expect(await statusOf(request, key.token)).toBe(401);
  });
});

test('a leak that support reports replaces their open request for the same key, and a key that is already reported can be revoked immediately', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  await addMember(service, { name: 'ann', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await openDeskTo(service, sam);
  const page = await pageOf(browser, service, {
    ...sam,
    address: `settings/api-keys/${key.uuid}`,
  });
  await page.getByRole('button', { name: 'Request rotation' }).click();
  await askForRotation(page, { member: 'ann', reason: 'It is due for rotation' });
  await expect(page.getByText(/^You asked ann to rotate it/)).toBeVisible();
  const expectActs = async (...acts: string[]) => {
    await page.goto('settings/api-keys');
    await menuOf(page, key.name).click();
    await expect(page.getByRole('menuitem')).toHaveText(acts);
  };
  await expectActs('Withdraw request', 'Report leak', 'Copy key ID');

  await paste(page, key.token);
  await expect(page.getByRole('main')).toContainText('You can revoke 3 more within 24 hours.');
  await page.getByRole('link', { name: 'Report leak' }).click();
  const report = page.getByRole('dialog', { name: `Report leak of ${key.name}` });
  await expect(report).toContainText('This replaces your open request to ann.');
  await expectAccessible(page, 'report of a leak that replaces a request', report);
  await reportLeak(page, { member: 'ann' });
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('button', { name: 'Revoke now' })).toBeVisible();
  await expectActs('Withdraw request', 'Copy key ID', `Revoke ${key.name}`);
  await page.goto('settings/rotation-requests');
  const rows = page.getByRole('row').filter({ hasText: key.name });
  await expect(rows.filter({ hasText: 'Withdrawn' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Waiting for ann' })).toHaveCount(1);

  await paste(page, key.token);
  await page.getByRole('link', { name: 'Report leak' }).click();
  await expect(
    page.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true }),
  ).toBeVisible();
  await page.context().close();
});

test('an admin who was not asked sees the report of a leak, and “Now” is selected; until the token ends, the report stays open', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  await addMember(service, { name: 'ann', role: 'admin' });
  const bob = await addMember(service, { name: 'bob', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const address = `settings/api-keys/${key.uuid}`;
  const support = await pageOf(browser, service, { ...sam, address: `${address}?act=leak` });
  await reportLeak(support, { member: 'ann' });
  await support.getByRole('button', { name: 'Not now' }).click();

  const eve = await addMember(service, { name: 'eve', role: 'viewer' });
  const viewer = await pageOf(browser, service, { ...eve, address });
  await expect(viewer.getByRole('region', { name: 'Requests', exact: true })).toContainText(
    `sam reported that the token of ${key.name} may have leaked`,
  );
  await viewer.getByRole('link', { name: `Open report about ${key.name}` }).click();
  await expect(
    viewer.getByRole('heading', { name: `sam asks ann to rotate ${key.name}` }),
  ).toBeVisible();
  await viewer.context().close();

  const admin = await pageOf(browser, service, bob);
  const banner = admin.getByRole('region', { name: 'Requests', exact: true });
  await expect(banner).toContainText(`sam reported that the token of ${key.name} may have leaked`);
  await expect(banner).toContainText('ann was asked to rotate the key.');
  await expect(rowOf(admin, key.name)).toContainText('sam asked ann to rotate it by');
  await expectAccessible(admin, 'keys with a reported leak');
  await admin.goto(address);
  await admin.getByRole('button', { name: 'Rotate token' }).click();
  const rotation = admin.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(rotation.getByRole('radio', { name: 'Now' })).toBeChecked();
  await rotation.getByRole('radio', { name: 'In 24 hours' }).check();
  await rotation.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  await readSecretOnce(admin);
  await expect(banner).toContainText('bob rotated the key, but');
  await support.reload();
  await expect(support.getByRole('main')).toContainText(/bob rotated the key, but .* still works/);
  await expect(support.getByRole('button', { name: 'Revoke now' })).toBeVisible();

  await admin.getByRole('button', { name: /^End now/ }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: /^End/ }).click();
  await expect(admin.getByRole('alertdialog')).toBeHidden();
  await expect(banner).toBeHidden();
  await support.goto('settings/rotation-requests');
  await expect(support.getByRole('row').filter({ hasText: 'Rotated by bob' })).toHaveCount(1);
  await admin.context().close();
  await support.context().close();
});

test('who revokes a key after their report of a leak was declined is told to report it again, while an older token works, and does so at the desk', async ({
  api,
  browser,
  givenApiKey,
  guard,
  request,
  service,
}) => {
  guard.allow(/status of 422/);
  const key = await givenApiKey();
  // A key that was used recently asks for its name before it is revoked.
  expect(await statusOf(request, key.token)).toBe(200);
  const rotated = await api.post(`/api/v1/api-keys/${key.uuid}/rotate`);
  expect(rotated.status()).toBe(201);
  const ann = await addMember(service, { name: 'ann', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await openDeskTo(service, sam);
  const address = `settings/api-keys/${key.uuid}`;
  const page = await pageOf(browser, service, { ...sam, address: `${address}?act=leak` });
  await reportLeak(page, { member: 'ann' });
  const admin = await pageOf(browser, service, { ...ann, address });
  await admin.getByRole('button', { name: `Decline to rotate ${key.name}` }).click();
  await declineRequest(admin, { reason: 'Other' });
  await admin.context().close();

  const revocation = page.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
  await revocation.getByRole('textbox', { name: 'Type the name to confirm' }).fill(key.name);
  await revocation.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(revocation).toContainText('This request was declined.');
  await expect(revocation).toContainText(
    'An older token of the key still works. Report the leak again to revoke the key.',
  );
  await revocation.getByRole('button', { name: 'Not now' }).click();
  await page.goto('/support/requests');
  const again = page.getByRole('link', { name: /^Request again/ });
  await again.click();
  await reportLeak(page, { member: 'ann' });
  await revocation.getByRole('button', { name: 'Not now' }).click();
  await page.goto('/support/requests');
  await expect(page.getByRole('link', { name: /^Open request/ })).toHaveCount(1);
  await expect(again, 'it was made again').toHaveCount(0);
  await page.goto(address);
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await revocation.getByRole('textbox', { name: 'Type the name to confirm' }).fill(key.name);
  await revocation.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(page.getByText(/^Revoked on /)).toBeVisible();
  expect(await statusOf(request, key.token)).toBe(401);
  await page.context().close();
});

test('a viewer who finds an active token is told whom to ask', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  const viewer = await addMember(service, { name: 'kim', role: 'viewer' });
  await openDeskTo(service, viewer);
  const page = await pageOf(browser, service, viewer);
  await paste(page, key.token);
  await expect(page.getByText('Ask an owner or an admin of Leaks Ltd')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Report leak' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Open team' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  await page.context().close();
});

/** The desk is for people with several accounts. */
async function openDeskTo(service: Service, person: Person): Promise<void> {
  await addAccounts(service, { names: ['Elsewhere Ltd'], owner: person });
}

/** Finds a token at the support desk, and waits until the page says that it works. */
async function paste(page: Page, token: string): Promise<void> {
  await page.goto('/support');
  await page.getByRole('textbox', { name: 'Search all accounts' }).fill(token);
  await expect(page.getByText('This token works')).toBeVisible();
}
