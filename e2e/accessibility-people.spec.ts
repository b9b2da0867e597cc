import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { choose, openApiKeys, openRotation } from './pages/api-keys.ts';
import { signIn } from './pages/sign-in.ts';
import { expectAccessible } from './pages/every-look.ts';
import { letProofGetOld, proofPrompt, signInPrompt } from './pages/identity.ts';
import { addAccounts, addMember, pageOf } from './pages/members.ts';

test.use({ accountName: 'Looks Ltd' });
test.skip(isRemote, 'adds members and accounts');
// Each look is judged four times.
test.setTimeout(180_000);

test('the questions for the password are accessible', async ({
  context,
  control,
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 40[13]/);
  const { name } = await givenApiKey();
  await letProofGetOld(control);
  const question = await openRotation(page, name);
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  await rotate.click();
  const prompt = proofPrompt(page);
  await expectAccessible(page, 'confirm it is you');
  await prompt.getByRole('button', { name: 'Confirm' }).click();
  await expect(prompt.getByText('Enter your password.')).toBeVisible();
  await expectAccessible(page, 'confirm it is you, with an error');
  await prompt.getByRole('button', { name: 'Cancel' }).click();

  await context.clearCookies();
  await rotate.click();
  await expect(signInPrompt(page)).toBeVisible();
  await expectAccessible(page, 'sign in again');
  await signInPrompt(page).getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expectAccessible(page, 'session over');
});

test('a person’s own page and the choice of accounts are accessible', async ({
  browser,
  service,
}) => {
  const person = await addMember(service, { name: 'kim', role: 'support' });
  await addAccounts(service, { names: ['Beta Ltd'], owner: person });
  const page = await pageOf(browser, service, person);
  await pageOf(browser, service, person);
  await page.goto('settings/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Enter your current password.')).toBeVisible();
  await expectAccessible(page, 'your account with errors');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'sign out everywhere else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /Switch account$/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'accounts');

  const names = ['Carol', 'Delta', 'Echo', 'Foxtrot', 'Golf'];
  await addAccounts(service, { names, owner: person });
  await page.reload();
  await page.getByRole('combobox', { name: 'Switch account' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'many accounts');
  await page.context().close();
});

test('a request for a rotation is accessible, to whoever makes it and to whoever gets it', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const ann = await addMember(service, { name: 'ann', role: 'admin' });
  const support = await pageOf(browser, service, sam);
  await choose(support, key.name, 'Request rotation');
  const dialog = support.getByRole('dialog', { name: /^Request rotation of / });
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();
  await expectAccessible(support, 'request with errors');
  await dialog.getByRole('combobox', { name: 'Ask' }).click();
  await expect(support.getByRole('option').first()).toBeVisible();
  await expectAccessible(support, 'whom to ask');
  await support.getByRole('option', { name: /^ann/ }).click();
  await dialog.getByRole('radio', { name: 'The token may have leaked' }).check();
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await expect(dialog).toBeHidden();
  await expectAccessible(support, 'keys with a request made');
  await support.goto(`settings/api-keys/${key.uuid}`);
  await expect(support.getByText(/^Rotation requested from ann/)).toBeVisible();
  await expectAccessible(support, 'key with a request made');
  await support.getByRole('button', { name: 'Revoke now' }).click();
  await expectAccessible(support, 'revoke a leaked key');
  await support.context().close();

  const admin = await pageOf(browser, service, ann);
  await expect(admin.getByText(/^sam asks you to rotate/)).toBeVisible();
  await expectAccessible(admin, 'keys with a request received');
  await admin.getByRole('button', { name: /^Decline/ }).click();
  await expectAccessible(admin, 'decline');
  await admin.getByRole('button', { name: 'Cancel' }).click();
  await admin.getByRole('button', { name: /^Rotate and show/ }).click();
  await expect(admin.getByText('sam asks for this.')).toBeVisible();
  await expectAccessible(admin, 'rotate on request');
  await admin.context().close();
});

test('a page held because another tab signed in somebody else is accessible', async ({
  context,
  guard,
  service,
  signedIn: first,
}) => {
  guard.allow(/status of 401/);
  const person = await addMember(service, { name: 'kim', role: 'viewer' });
  await openApiKeys(first);
  await context.clearCookies();
  const second = await context.newPage();
  await second.goto('/sign-in');
  await signIn(second, person);
  await second.waitForURL('**/settings/api-keys');
  await first.bringToFront();
  await expect(first.getByRole('alertdialog', { name: 'kim is signed in now' })).toBeVisible();
  await expectAccessible(first, 'another person');
});
