import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import type { Service } from './fixtures.ts';
import { openRotation, rowOf } from './pages/api-keys.ts';
import { signIn } from './pages/sign-in.ts';
import { endOnService, givePassword, proveIdentity, signInPrompt } from './pages/identity.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';

test('a form half filled in outlives the session, and is sent once its person has signed in again', async ({
  guard,
  named,
  page,
  request,
  service,
}) => {
  test.skip(isRemote, 'ends the session with the credential of a server of its own');
  await signedInAnew(page, service);
  await page.goto('settings/api-keys/new');
  const name = named('Kept');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Limited' }).check();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  await endOnService(request, { service, cookies: await page.context().cookies() });

  const create = page.getByRole('button', { name: 'Create key' });
  await create.click();
  const prompt = signInPrompt(page);
  const password = prompt.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  await expect(prompt).toContainText(service.owner.email);
  await expect(prompt.getByRole('textbox')).toHaveCount(1);
  await givePassword(prompt, 'not the password');
  await expect(password).toHaveAccessibleDescription('Wrong password.');

  await prompt.getByRole('button', { name: 'Cancel' }).click();
  await expect(create).toBeFocused();
  await expect(page.getByRole('alert').getByText('Your session has ended')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await expect(page.getByRole('checkbox', { name: 'Write messages' })).toBeChecked();

  await create.click();
  await proveIdentity(prompt, service.owner);
  await readSecretOnce(page);
  await expect(page.getByText('Your session has ended')).toBeHidden();
  await expect(rowOf(page, name)).toContainText('Limited');
  guard.allow(/status of 401/);
});

test('an act after signing out elsewhere goes on where it stood, with what was chosen', async ({
  context,
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const question = await openRotation(page, name);
  await question.getByRole('radio', { name: 'In 1 hour' }).check();
  const here = page.url();

  // What signing out in another tab leaves behind.
  await context.clearCookies();
  guard.allow(/status of 401/);
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await proveIdentity(signInPrompt(page), service.owner);
  await readSecretOnce(page);
  await expect(page).toHaveURL(here);
  await expect(rowOf(page, name)).toContainText('Rotating');
});

test('a tab learns that another one signed out, and both go on once one has signed in', async ({
  context,
  guard,
  page: first,
  service,
}) => {
  guard.allow(/status of 401/);
  await signedInAnew(first, service);
  const second = await context.newPage();
  await second.goto('settings/webhooks');
  await first.bringToFront();
  await first.getByRole('button', { name: /Your menu$/ }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(first).toHaveURL('/sign-in');

  await second.bringToFront();
  await expect(signInPrompt(second)).toBeVisible();
  await expect(second.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
  await first.bringToFront();
  await signIn(first, service.owner);
  await first.waitForURL('**/settings/api-keys');
  await second.bringToFront();
  await expect(signInPrompt(second)).toBeHidden();
});

test('somebody else signs in on the sign-in page, not in the place of the person whose page it is', async ({
  context,
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const question = await openRotation(page, name);
  await context.clearCookies();
  guard.allow(/status of 401/);
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const { pathname } = new URL(page.url());
  await signInPrompt(page).getByRole('link', { name: 'Sign in as someone else' }).click();
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(pathname)}`);
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue('');
});

test('a page asked for after the session ended leads to sign-in, which leads on to it', async ({
  context,
  service,
  signedIn: page,
}) => {
  await page.goto('settings/api-keys');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  const { pathname } = new URL('settings/webhooks', service.home);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(pathname)}`);
});

/** A session of one's own, which may end without taking it from other tests. */
async function signedInAnew(page: Page, service: Service): Promise<void> {
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
}
