import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  givePassword,
  openRotation,
  proveIdentity,
  readSecretOnce,
  rowOf,
  signIn,
  signInPrompt,
  signOut,
} from 'conversation-service-playwright-kit';
import { endOnService, pressAfterSessionEnd } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';

test('what was typed and chosen survives the end of the session, and goes on once its person has signed in again', async ({
  context,
  guard,
  named,
  request,
  service,
  session,
  signedIn: page,
}) => {
  guard.allow(/status of 401/);
  const name = named('Kept');
  const prompt = signInPrompt(page);
  await page.goto('settings/api-keys/new');

  await test.step('a half-filled form is submitted', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('radio', { name: 'Limited' }).check();
    await page.getByRole('checkbox', { name: 'Write messages' }).check();
    const create = page.getByRole('button', { name: 'Create key' });
    await create.focus();
    await endOnService(request, { service, cookies: session });

    await pressAfterSessionEnd(create);
    const password = prompt.getByRole('textbox', { name: 'Password' });
    await expect(password).toBeFocused();
    await expect(prompt).toContainText(service.owner.email);
    await expect(prompt.getByRole('textbox')).toHaveCount(1);
    await givePassword(prompt, 'not the password');
    await expect(password).toHaveAccessibleDescription('Wrong password.');
    await expectAccessible(page, 'sign in again', prompt);

    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect(create).toBeFocused();
    await expect(page.getByRole('alert').getByText('Your session has ended')).toBeVisible();
    await expectAccessible(page, 'session over');
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
    await expect(page.getByRole('checkbox', { name: 'Write messages' })).toBeChecked();

    await create.click();
    await proveIdentity(prompt, service.owner);
    await readSecretOnce(page);
    await expect(page.getByText('Your session has ended')).toBeHidden();
    await expect(rowOf(page, name)).toContainText('Limited');
  });

  await test.step('the rotate dialog says that the session ended, and then shows again what a rotation does', async () => {
    const previewed = page.waitForResponse((response) => response.request().method() === 'POST');
    await choose(page, name, 'Rotate token');
    const dialog = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
    await previewed;
    await endOnService(request, { service, cookies: await context.cookies() });
    await pressAfterSessionEnd(dialog.getByRole('radio', { name: 'In 1 hour' }));
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog.getByText('Your session has ended')).toBeVisible();
    await expect(dialog.getByText('You can still rotate the key')).toBeHidden();

    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await proveIdentity(prompt, service.owner);
    await expect(dialog.getByText('Your session has ended')).toBeHidden();
    await expect(dialog.getByRole('radio', { name: 'In 1 hour' })).toBeChecked();
  });
});

test('after signing out elsewhere the same person goes on where they were, and anyone else signs in on the sign-in page', async ({
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

  // The state after signing out in another tab.
  await context.clearCookies();
  guard.allow(/status of 401/);
  await pressAfterSessionEnd(question.getByRole('button', { name: `Rotate ${name}`, exact: true }));
  await proveIdentity(signInPrompt(page), service.owner);
  await readSecretOnce(page);
  await expect(page).toHaveURL(here);
  await expect(rowOf(page, name)).toContainText('Rotating');

  await context.clearCookies();
  // The dialog reads what the rotation would do, so it asks to sign in by itself.
  await choose(page, name, 'Rotate token');
  await signInPrompt(page).getByRole('link', { name: 'Sign in as someone else' }).click();
  const { pathname } = new URL(here);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(pathname)}`);
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('');
});

test('a tab learns that another one signed out, and both go on once one has signed in', async ({
  context,
  guard,
  service,
  signedIn: first,
}) => {
  guard.allow(/status of 401/);
  await first.goto('settings/api-keys');
  const second = await context.newPage();
  await second.goto('settings/webhooks');
  await first.bringToFront();
  await signOut(first);
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
