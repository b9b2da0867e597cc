import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { choose, openRotation } from '../pages/api-keys.ts';
import { signIn } from '../pages/people/sign-in.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { invite } from '../pages/people/invitations.ts';
import { expireProof, proofPrompt, signInPrompt } from '../pages/people/identity.ts';
import { addAccounts, addMember, sessionOf } from '../pages/people/members.ts';
import { followLink } from '../pages/people/links.ts';

test.use({ accountName: 'Looks Ltd' });
test.skip(isRemote, 'adds members and accounts');

test('the questions for the password, the sign-in page, and a page held for another person are accessible', async ({
  context,
  control,
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 40[13]/);
  const { name } = await givenApiKey();
  const kim = await addMember(service, { name: 'kim', role: 'viewer' });
  await expireProof(control);
  const question = await openRotation(page, name);
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  await rotate.click();
  const prompt = proofPrompt(page);
  await expectAccessible(page, 'confirm it is you', prompt);
  await prompt.getByRole('button', { name: 'Confirm' }).click();
  await expect(prompt.getByText('Enter your password.')).toBeVisible();
  await expectAccessible(page, 'confirm it is you, with an error', prompt);
  await prompt.getByRole('button', { name: 'Cancel' }).click();

  await context.clearCookies();
  await rotate.click();
  await expect(signInPrompt(page)).toBeVisible();
  await expectAccessible(page, 'sign in again', signInPrompt(page));
  await signInPrompt(page).getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expectAccessible(page, 'session over');

  const second = await context.newPage();
  await second.goto('/sign-in');
  await expectAccessible(second, 'sign-in');
  await second.getByRole('button', { name: 'Sign in' }).click();
  await expect(second.getByText('Enter your password.')).toBeVisible();
  await expectAccessible(second, 'sign-in with errors');
  await signIn(second, kim);
  await second.waitForURL('**/settings/api-keys');
  await page.bringToFront();
  const held = page.getByRole('alertdialog', { name: 'kim is signed in now' });
  await expect(held).toBeVisible();
  await expectAccessible(page, 'another person', held);
});

test('a person’s own pages and the choice of accounts are accessible', async ({
  browser,
  service,
}) => {
  const kim = await addMember(service, { name: 'kim', role: 'support' });
  await addAccounts(service, { names: ['Beta Ltd'], owner: kim });
  // With two sessions, there is one that can be ended.
  await sessionOf(service, kim);
  const storageState = await sessionOf(service, kim);
  const context = await browser.newContext({ baseURL: service.home, storageState });
  const page = await context.newPage();
  await page.goto('settings/profile');
  await page.getByRole('button', { name: /Switch account$/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'accounts');

  const names = ['Carol', 'Delta', 'Echo', 'Foxtrot', 'Golf'];
  await addAccounts(service, { names, owner: kim });
  await page.goto('settings/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Enter your current password.')).toBeVisible();
  await expectAccessible(page, 'security with errors');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await expectAccessible(page, 'sign out everywhere else', question);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('combobox', { name: 'Switch account' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'many accounts');
  await context.close();
});

test('what an admin can do about an invitation, and a link that cannot be used, are accessible', async ({
  browser,
  context,
  service,
}) => {
  const admin = await addMember(service, { name: 'kim', role: 'admin' });
  await addMember(service, { name: 'sam', role: 'support' });
  await context.addCookies((await sessionOf(service, admin)).cookies);
  const page = await context.newPage();
  await page.goto('settings/team');
  const email = `lee@${service.account?.domain}`;
  const link = await invite(page, { email, role: 'Viewer' });
  await page.getByRole('button', { name: 'Invite member' }).click();
  const form = page.getByRole('dialog', { name: 'Invite member' });
  await expect(form.getByRole('radio', { name: 'Owner' })).toBeHidden();
  await form.getByRole('radio', { name: 'Support', exact: true }).check();
  await expect(form.getByText('Only an owner can change it.')).toContainText('also to sam');
  await expectAccessible(page, 'what support can see, to an admin', form);
  await form.getByRole('button', { name: 'Cancel' }).click();
  for (const name of [`New link for ${email}`, `Revoke invitation for ${email}`]) {
    await page.getByRole('button', { name }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toBeVisible();
    await expectAccessible(page, name, question);
    await question.getByRole('button', { name: 'Cancel' }).click();
  }

  const guest = await browser.newContext({ baseURL: service.home });
  const theirs = await guest.newPage();
  await theirs.goto('/invitation');
  await expect(theirs.getByText('This page needs the whole link')).toBeVisible();
  await expectAccessible(theirs, 'invitation without a link');
  await followLink(theirs, link.slice(0, -1));
  await expect(theirs.getByText(/^Ask whoever invited you for a new one/)).toBeVisible();
  await expectAccessible(theirs, 'invitation that is no longer valid');
  await guest.close();
});

test('a request for a rotation is accessible, to whoever makes it and to whoever gets it', async ({
  browser,
  givenApiKey,
  service,
  signedIn: owner,
}) => {
  const key = await givenApiKey();
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const storageState = await sessionOf(service, sam);
  const context = await browser.newContext({ baseURL: service.home, storageState });
  const support = await context.newPage();
  await support.goto('settings/api-keys');
  await choose(support, key.name, 'Request rotation');
  const dialog = support.getByRole('dialog', { name: /^Request rotation of / });
  // There is no other member to ask.
  await expect(dialog.getByRole('combobox', { name: 'Ask' })).toHaveText('ada');
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();
  await expectAccessible(support, 'request with errors', dialog);
  await dialog.getByRole('combobox', { name: 'Ask' }).click();
  await expect(support.getByRole('option').first()).toBeVisible();
  await expectAccessible(support, 'whom to ask');
  await support.getByRole('option', { name: /^ada/ }).click();
  await dialog.getByRole('radio', { name: 'The token may have leaked' }).check();
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await support.getByRole('button', { name: 'Not now' }).click();
  await expect(support.getByRole('alertdialog')).toBeHidden();
  await expectAccessible(support, 'keys with a request made');
  await support.getByRole('link', { name: key.name, exact: true }).click();
  await expect(support).toHaveTitle(new RegExp(`^${key.name} · `));
  await expect(support.getByText(/^You asked ada to rotate it/)).toBeVisible();
  await expectAccessible(support, 'key with a request made');
  await support.getByRole('button', { name: 'Revoke now' }).click();
  await expectAccessible(support, 'revoke a leaked key');
  await context.close();

  await owner.goto('settings/api-keys');
  await expect(owner.getByText(/^sam asks you to rotate/)).toBeVisible();
  await expectAccessible(owner, 'keys with a request received');
  await owner.getByRole('button', { name: /^Decline/ }).click();
  const decline = owner.getByRole('dialog').or(owner.getByRole('alertdialog'));
  await expect(decline).toBeVisible();
  await expectAccessible(owner, 'decline', decline);
  await decline.getByRole('button', { name: 'Cancel' }).click();
  await owner.getByRole('button', { name: /^Rotate and show/ }).click();
  await expect(owner.getByText('sam asks for this.')).toBeVisible();
  await expectAccessible(owner, 'rotate on request');
});
