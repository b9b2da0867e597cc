import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import {
  choose,
  expectAccessible,
  menuOf,
  proofPrompt,
  proveIdentity,
  rowOf,
} from 'conversation-service-playwright-kit';
import { createKeyAs, expireProof } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, changeRole, pageOf, sessionOf } from '../pages/people/members.ts';
import { broken } from '../helpers/error-responses.ts';

test.use({ accountName: 'Team Ltd' });

test('an owner changes a role, which counts on the open page of that member from their next action on; the only owner stays', async ({
  browser,
  service,
  signedIn: page,
}) => {
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  await addMember(service, { name: 'sam', role: 'viewer' });
  // Their name includes the owner's, as a random address may: a row is found by its whole name.
  await addMember(service, { name: 'nevada', role: 'viewer' });
  const theirs = await pageOf(browser, service, { ...kim, address: 'settings/team' });
  await expect(theirs.getByRole('button', { name: 'Invite member' })).toBeVisible();
  await choose(theirs, 'sam', 'Remove sam');
  const removal = question(theirs, 'Remove sam');
  await expect(removal).toContainText(
    'sam has not been shown any token or signing secret that still works.',
  );

  await page.goto('settings/api-keys');
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(page).toHaveTitle(/^Team · /);
  await expect(rowOf(page, 'ada')).toContainText(/ada You.*OwnerThe only owner/);
  await expect(rowOf(page, 'kim')).toContainText(/(?:Just now|\d+ s ago).*Chrome on /);
  await expect(rowOf(page, 'sam')).toContainText('Not seen yet');
  await expect(page.getByText(/^You are the only owner\. To leave/)).toBeVisible();

  const role = page.getByRole('button', { name: /^Role of kim: / });
  await role.click();
  await page.getByRole('menuitemradio', { name: 'Viewer' }).click();
  const change = question(page, 'Change role of kim');
  await expect(change).toContainText('Changes nothing.');
  await expect(change.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await change.getByRole('button', { name: 'Change role to Viewer' }).click();
  await expect(change).toBeHidden();
  await expect(role).toHaveText('Viewer');
  await expect(role).toBeFocused();

  await removal.getByRole('button', { name: 'Remove sam' }).click();
  await expect(removal).toContainText('Remove sam failed');
  await expect(removal).toContainText('Only owners and admins can change the team.');
  await removal.getByRole('button', { name: 'Cancel' }).click();
  await expect(
    theirs.getByText(/^Your role, Viewer, lets you view the team but not change it\./),
  ).toBeVisible();
  await expect(menuOf(theirs, 'sam')).toBeHidden();
  await expect(theirs.getByRole('complementary')).toContainText('kimViewer');
  await theirs.context().close();
});

test('an admin reaches the audit entries of every member, including owners', async ({
  browser,
  service,
}) => {
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  const theirs = await pageOf(browser, service, { ...kim, address: 'settings/team' });
  await choose(theirs, 'ada', 'Audit entries');
  await expect(theirs).toHaveURL(/audit-log\?.*actor=/);
  await expect(theirs.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await theirs.context().close();
});

test('a changed role or a removal, which lists what was shown to the member, applies on their open page; a person who leaves their only account is signed out', async ({
  browser,
  control,
  named,
  request,
  service,
  signedIn: page,
}) => {
  const lee = await addMember(service, { name: 'lee', role: 'admin' });
  // Their sessions are in the account that they joined first, and so survive the removal.
  const owner = { ...lee, email: lee.email.replace('lee', 'kim') };
  await addAccounts(service, { names: ['Elsewhere Ltd'], owner });
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  // Of the owner, who signed in before; the others sign in after that.
  await expireProof(control);
  const leaving = await pageOf(browser, service, { ...lee, address: 'settings/team' });

  await test.step('a changed role applies once its person comes back to the tab', async () => {
    const frame = leaving.getByRole('complementary');
    await expect(leaving.getByRole('button', { name: 'Invite member' })).toBeVisible();
    await expect(menuOf(leaving, 'kim')).toBeVisible();
    await changeRole(service, { person: lee, role: 'viewer' });
    await leaving.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect(frame).toContainText('leeViewer');
    await expect(leaving.getByRole('button', { name: 'Invite member' })).toBeHidden();
    await expect(frame.getByRole('link', { name: 'Audit log' })).toBeHidden();
    await expect(menuOf(leaving, 'kim')).toBeHidden();
  });

  const key = named('Shown');
  const storageState = await sessionOf(service, kim);
  const accountId = service.account.id;
  await createKeyAs(request, { name: key, service, cookies: storageState.cookies, accountId });
  const context = await browser.newContext({ baseURL: service.home, storageState });
  const theirs = await context.newPage();
  await theirs.clock.install();
  await theirs.goto('settings/team');

  await page.goto('settings/team');
  await choose(page, 'kim', 'Remove kim');
  const removal = question(page, 'Remove kim');
  await expect(removal).toContainText('1 active token was shown to kim');
  const link = removal.getByRole('link', { name: `Rotate ${key}, opens in a new tab` });
  await expect(link).toHaveAttribute('href', /\/settings\/api-keys\/[\da-f-]{36}\?act=rotate$/);
  await expect(removal.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'removal', removal);
  const opened = page.waitForEvent('popup');
  await link.click();
  const rotation = await opened;
  await expect(rotation.getByRole('dialog', { name: `Rotate ${key}`, exact: true })).toBeVisible();
  await rotation.close();
  await removal.getByRole('button', { name: 'Remove kim' }).click();
  await proveIdentity(proofPrompt(page), service.owner);
  await expect(removal).toBeHidden();
  await expect(rowOf(page, 'kim')).toBeHidden();
  await expect(menuOf(page, 'lee')).toBeFocused();

  await theirs.clock.runFor(31_000);
  await expect(question(theirs, 'You cannot open Team Ltd')).toBeVisible();
  await theirs.getByRole('button', { name: 'Go to the dashboard' }).click();
  await expect(theirs.getByRole('complementary')).toContainText('Elsewhere Ltd');
  await context.close();

  await choose(leaving, 'lee', 'Leave account');
  const leave = question(leaving, 'Leave Team Ltd');
  await leave.getByRole('button', { name: 'Leave Team Ltd' }).click();
  await expect(leaving).toHaveURL('/sign-in');
  await page.reload();
  await expect(rowOf(page, 'ada')).toBeVisible();
  await expect(rowOf(page, 'lee')).toBeHidden();
  await leaving.context().close();
});

test('a list of tokens that fails says so and keeps nobody from a removal, and leaves nobody signed in who had no other account', async ({
  apiProxy,
  browser,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const kim = await addMember(service, { name: 'kim', role: 'viewer' });
  const theirs = await pageOf(browser, service, kim);
  apiProxy.respondTo('GET', /\/members\/[^/]+\/shown-secrets$/, () => broken());
  await page.goto('settings/team');
  await choose(page, 'kim', 'Remove kim');
  const removal = question(page, 'Remove kim');
  await expect(removal).toContainText(
    'The list of tokens that were shown to them could not be loaded',
  );
  await removal.getByRole('button', { name: 'Remove kim' }).click();
  await expect(removal).toBeHidden();
  await expect(rowOf(page, 'kim')).toBeHidden();
  await theirs.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(theirs).toHaveURL(/\/sign-in\?next=/);
  await theirs.context().close();
});

test('an owner who is not the only one lowers their own role on a phone, and the page follows', async ({
  page,
  context,
  service,
}) => {
  const kim = await addMember(service, { name: 'kim', role: 'owner' });
  await context.addCookies((await sessionOf(service, kim)).cookies);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('settings/team');
  await menuOf(page, 'kim').click();
  await expect(page.getByRole('menu').getByRole('menuitem')).toHaveText([
    'Audit entries',
    'Leave account',
  ]);
  await page.getByRole('menuitemradio', { name: 'Viewer' }).click();
  const change = question(page, 'Change your own role');
  await expect(change).toContainText('You cannot undo this yourself. Another owner can.');
  await page.setViewportSize({ width: 390, height: 844 });
  await change.getByRole('button', { name: 'Change role to Viewer' }).click();
  await expect(
    page.getByText(/^Your role, Viewer, lets you view the team but not change it\./),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'kim, Viewer. Your menu' })).toBeVisible();
  await expect(menuOf(page, 'ada')).toBeHidden();
});

function question(page: Page, name: string): Locator {
  return page.getByRole('alertdialog', { name, exact: true });
}
