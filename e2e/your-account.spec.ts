import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { signIn } from './pages/sign-in.ts';
import { addMember, pageSignedIn } from './pages/members.ts';

test.skip(isRemote, 'adds members');

test('a person sees where they are signed in, and ends one or all the other sessions', async ({
  browser,
  service,
}) => {
  const person = await addMember(service, { name: 'kim', role: 'viewer' });
  const here = await pageSignedIn(browser, service, person);
  const second = await pageSignedIn(browser, service, person);
  await pageSignedIn(browser, service, person);
  await here.getByRole('button', { name: /Your menu$/ }).click();
  await here.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(here.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  await expect(here.getByText(person.email, { exact: true })).toBeVisible();

  const sessions = here.getByRole('listitem').filter({ hasText: 'Signed in' });
  await expect(sessions).toHaveCount(3);
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  const others = sessions.filter({ hasNotText: 'This browser' });
  await expect(others.first()).toContainText(/^Chrome on \w+/);
  await expect(others.first()).toContainText('127.0.0.1');

  await others
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await expect(sessions).toHaveCount(2);
  await expect(here.getByText(/^Chrome on \w+ is signed out\.$/)).toBeVisible();
  await expect(here.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();

  await here.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const question = here.getByRole('alertdialog', { name: 'Sign out everywhere else' });
  await expect(question).toContainText('1 other session');
  await question.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(here.getByText('1 other session signed out.')).toBeVisible();
  await second.goto('settings/webhooks');
  await expect(second).toHaveURL(/\/sign-in/);
});

test('a changed password signs out everywhere else, and is the one that counts', async ({
  browser,
  service,
}) => {
  const person = await addMember(service, { name: 'lee', role: 'viewer' });
  const page = await pageSignedIn(browser, service, person);
  const other = await pageSignedIn(browser, service, person);
  await page.goto('settings/account');
  const current = page.getByRole('textbox', { name: 'Current password' });
  const fresh = page.getByRole('textbox', { name: 'New password' });
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(current).toBeFocused();
  await expect(current).toHaveAccessibleDescription('Enter your current password.');
  await expect(fresh).toHaveAccessibleDescription('Use at least 12 characters.');

  await current.fill('not the password');
  await fresh.fill('a better one for Lee');
  await expect(page.getByText('Long enough')).toBeVisible();
  await change.click();
  await expect(current).toHaveAccessibleDescription('This is not your password.');
  await expect(fresh).toHaveValue('a better one for Lee');

  await current.fill(person.password);
  await fresh.fill(person.email);
  await change.click();
  await expect(fresh).toHaveAccessibleDescription(
    /^This password is made of your name, your e-mail/,
  );

  await fresh.fill('a better one for Lee');
  await change.click();
  await expect(
    page.getByText('Your password was changed. 1 other session signed out.'),
  ).toBeVisible();
  await expect(fresh).toHaveValue('');
  await expect(page.getByText('You are signed in here only.')).toBeVisible();
  await expectSignedOut(other);
  await signIn(other, person);
  await expect(other.getByText('Wrong e-mail or password.')).toBeVisible();
  await signIn(other, { ...person, password: 'a better one for Lee' });
  await other.waitForURL('**/settings/**');
});

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('settings/account');
  await expect(page).toHaveURL(/\/sign-in/);
}
