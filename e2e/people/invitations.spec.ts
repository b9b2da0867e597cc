import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  followLink,
  invite,
  linkDialog,
  openLink,
  pendingOf,
  readLinkOnce,
  renewLink,
  rowOf,
} from 'conversation-service-playwright-kit';
import { expireProof } from '../helpers/as-dashboard.ts';
import { hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Guests Ltd' });

const newPassword = 'a staple that nobody knows';

test('an owner invites a new admin, and a support member who signs in to join; a link that was renewed or revoked is refused', async ({
  browser,
  control,
  service,
  signedIn: page,
}) => {
  const { domain } = service.account;
  const mika = `mika@${domain}`;
  await page.goto('settings/team');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const form = page.getByRole('dialog', { name: 'Invite member' });
  await expect(form.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await form.getByRole('textbox', { name: 'Email' }).fill('mika@');
  await form.getByRole('button', { name: 'Invite member' }).click();
  await expect(form.getByText('This is not an email address.')).toBeVisible();
  await expect(form.getByText('Choose a role.')).toBeVisible();
  await form.getByRole('radio', { name: 'Support', exact: true }).check();
  await expect(form).toContainText('This applies to everyone with the role Support in Guests Ltd');
  await expectAccessible(page, 'invitation with errors', form);
  await form.getByRole('textbox', { name: 'Email' }).fill(mika);
  await form.getByRole('radio', { name: 'Admin', exact: true }).check();
  await form.getByRole('button', { name: 'Invite member' }).click();
  await expect(linkDialog(page, mika)).toContainText(`Send it only to ${mika}.`);
  await expectAccessible(page, 'invitation link', linkDialog(page, mika));
  await test.step('the link cannot be closed before it is saved', async () => {
    await linkDialog(page, mika).getByRole('button', { name: 'Done' }).click();
    await expect(linkDialog(page, mika)).toContainText('Select this checkbox first.');
    await page.keyboard.press('Escape');
    const unsaved = page.getByRole('alertdialog', { name: 'Close without saving?' });
    await expect(unsaved).toContainText(`The link for ${mika} cannot be shown again.`);
    await unsaved.getByRole('button', { name: 'Keep it open' }).click();
  });
  const first = await readLinkOnce(page, mika);
  expect(await page.content()).not.toContain(first.split('#')[1]);
  await expect(page.getByRole('button', { name: 'Invite member' })).toBeFocused();
  await expect(pendingOf(page, mika)).toContainText(/Invited by you, .*Expires in 3 days/);
  await expectAccessible(page, 'team with an invitation', page.getByRole('main'));

  await page.getByRole('button', { name: `Revoke invitation for ${mika}` }).click();
  const revocation = page.getByRole('alertdialog');
  await expect(revocation).toBeVisible();
  await expectAccessible(page, 'revoke an invitation', revocation);
  await revocation.getByRole('button', { name: 'Cancel' }).click();
  const link = await renewLink(page, mika);
  const newcomer = await openLink(browser, service, first);
  await expect(newcomer).toHaveURL(/\/invitation$/);
  await expectRefused(newcomer);
  await expectAccessible(newcomer, 'invitation that is no longer valid');
  // The new link, in the tab in which the old one was opened.
  await followLink(newcomer, link);
  await expect(newcomer.getByRole('heading', { name: 'Join Guests Ltd' })).toBeVisible();
  await expect(newcomer).toHaveURL(/\/invitation$/);
  await expect(newcomer.getByText('ada invites you to this account.')).toBeVisible();
  await expectAccessible(newcomer, 'invitation of someone new', newcomer.getByRole('main'));
  await newcomer.getByRole('button', { name: 'Join Guests Ltd' }).click();
  await expect(newcomer.getByText('Enter your name.')).toBeVisible();
  await newcomer.getByRole('textbox', { name: 'Your name' }).fill('Mika Sato');
  await newcomer.getByRole('textbox', { name: 'Password' }).fill(newPassword);
  await newcomer.getByRole('button', { name: 'Join Guests Ltd' }).click();
  await expect(newcomer).toHaveURL('settings/api-keys');
  await expect(newcomer.getByRole('complementary')).toContainText('Mika SatoAdmin');

  const kim = { email: `kim@${domain}`, password: service.worker.password };
  await addAccounts(service, { names: ['Elsewhere Ltd'], owner: kim });
  await page.getByRole('button', { name: 'Invite member' }).click();
  await form.getByRole('textbox', { name: 'Email' }).fill(kim.email);
  await form.getByRole('radio', { name: 'Support', exact: true }).check();
  await form.getByRole('radio', { name: 'Webhook and bot scopes only' }).check();
  await form.getByRole('button', { name: 'Invite member' }).click();
  const forKim = await readLinkOnce(page, kim.email);
  const theirs = await openLink(browser, service, forKim);
  await expect(theirs.getByText(kim.email)).toBeVisible();
  await test.step('the page does not say that kim has an account, until they try to create one', async () => {
    await theirs.getByRole('textbox', { name: 'Your name' }).fill('Kim');
    await theirs.getByRole('textbox', { name: 'Password' }).fill(newPassword);
    await theirs.getByRole('button', { name: 'Join Guests Ltd' }).click();
    await expect(theirs.getByText(`${kim.email} already has an account.`)).toBeVisible();
  });
  await theirs.getByRole('textbox', { name: 'Password' }).fill(kim.password);
  await theirs.getByRole('button', { name: 'Sign in and join' }).click();
  await expect(theirs).toHaveURL('settings/api-keys');
  await expect(theirs.getByRole('complementary')).toContainText('kimSupport');
  await page.reload();
  await expect(rowOf(page, 'kim')).toContainText('Support');
  await expect(rowOf(page, 'Mika Sato')).toContainText('Admin');
  await expect(page.getByRole('heading', { name: /^Pending invitations/ })).toBeHidden();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await form.getByRole('radio', { name: 'Support', exact: true }).check();
  await expect(form.getByRole('radio', { name: 'Webhook and bot scopes only' })).toBeChecked();
  await expect(form).toContainText('also to kim.');
  await form.getByRole('button', { name: 'Cancel' }).click();

  const revoked = await invite(page, { email: `lee@${domain}`, role: 'Viewer' });
  await pendingOf(page, `lee@${domain}`)
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('button', { name: 'Revoke invitation', exact: true }).click();
  await expect(page.getByText(`Invitation for lee@${domain} revoked`)).toBeVisible();
  const expired = await invite(page, { email: `sam@${domain}`, role: 'Viewer' });
  // Open pages would read on with sessions that end by then.
  await page.close();
  await newcomer.context().close();
  await theirs.context().close();
  await control.moveClock({ ms: 73 * hourMs });
  const late = await openLink(browser, service, revoked);
  await expectRefused(late);
  for (const one of [link, expired]) {
    await followLink(late, one);
    await expectRefused(late);
  }
  await late.context().close();
});

test('a person who is signed in joins immediately, someone else signs out first, and a lost response says what may have happened', async ({
  apiProxy,
  browser,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 40[13]/);
  const { domain } = service.account;
  const kim = { email: `kim@${domain}`, password: service.worker.password };
  const [elsewhere = ''] = await addAccounts(service, { names: ['Elsewhere Ltd'], owner: kim });
  await page.goto('settings/team');
  const link = await invite(page, { email: kim.email, role: 'Viewer' });

  const other = await pageOf(
    browser,
    service,
    await addMember(service, { name: 'sam', role: 'viewer' }),
  );
  await followLink(other, link);
  await expect(other.getByText(/^You are signed in as sam@/)).toContainText(kim.email);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('radio', { name: 'I have an account' }).check();
  await expect(other.getByRole('button', { name: 'Sign in and join' })).toBeVisible();
  await other.context().close();

  const home = `${service.origin}/a/${elsewhere}/settings/api-keys`;
  const theirs = await pageOf(browser, service, { ...kim, address: home });
  apiProxy.respondTo('POST', /\/invitations\/join$/, async ({ pass }) => {
    await pass();
    return { status: 502 };
  });
  // The old one works only in the browser in which sam opened it.
  await followLink(theirs, await renewLink(page, kim.email));
  await theirs.getByRole('button', { name: 'Join Guests Ltd' }).click();
  await expect(
    theirs.getByText('We could not confirm whether you joined Guests Ltd'),
  ).toBeVisible();
  apiProxy.reset();
  await theirs.getByRole('button', { name: 'Join Guests Ltd' }).click();
  await expectRefused(theirs);
  await theirs.getByRole('link', { name: 'Go to sign-in' }).click();
  await expect(theirs).toHaveURL(`${service.home}settings/api-keys`);
  await expect(theirs.getByRole('complementary')).toContainText('kimViewer');
  await theirs.context().close();
});

test('someone whose address nobody verified chooses a new password before they join another account', async ({
  browser,
  control,
  service,
  signedIn: page,
}) => {
  const email = `mika@${service.account.domain}`;
  await page.goto('settings/team');
  const theirs = await openLink(browser, service, await invite(page, { email, role: 'Viewer' }));
  await theirs.getByRole('textbox', { name: 'Your name' }).fill('Mika Sato');
  await theirs.getByRole('textbox', { name: 'Password' }).fill(newPassword);
  await theirs.getByRole('button', { name: 'Join Guests Ltd' }).click();
  await expect(theirs).toHaveURL(`${service.home}settings/api-keys`);

  const names = ['Elsewhere Ltd'];
  const [elsewhere = ''] = await addAccounts(service, { names, owner: service.owner });
  await page.goto(`${service.origin}/a/${elsewhere}/settings/team`);
  const link = await invite(page, { email, role: 'Support' });
  await expireProof(control);
  await followLink(theirs, link);
  await theirs.getByRole('button', { name: 'Join Elsewhere Ltd' }).click();
  await theirs.getByRole('textbox', { name: 'New password' }).fill('another staple of theirs');
  await theirs.getByRole('button', { name: 'Join Elsewhere Ltd' }).click();
  await expect(theirs.getByText('Sign in again to confirm your identity')).toBeVisible();
  await theirs.getByRole('textbox', { name: 'Password' }).fill(newPassword);
  await theirs.getByRole('button', { name: 'Sign in and join' }).click();
  await theirs.getByRole('textbox', { name: 'New password' }).fill('another staple of theirs');
  await theirs.getByRole('button', { name: 'Join Elsewhere Ltd' }).click();
  await expect(theirs).toHaveURL(`${service.origin}/a/${elsewhere}/settings/api-keys`);
  await theirs.context().close();
});

async function expectRefused(page: Page): Promise<void> {
  await expect(page.getByText(/^Ask the person who invited you for a new one/)).toBeVisible();
  await expect(page).toHaveURL(/\/invitation$/);
}
