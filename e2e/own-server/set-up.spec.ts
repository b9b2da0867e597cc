import { expect } from '@playwright/test';
import { isFullRun, isRemote, test } from '../fixtures.ts';
import { signIn } from '../pages/sign-in.ts';
import { openSetUp, setUpLink } from '../pages/set-up.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';

// A server apart, in which nobody is yet. Both tests use it, and the second sets it up.
test.use({ isSetUp: false });
test.skip(isRemote, 'needs a service that nobody has set up');
test.describe.configure({ mode: 'default' });

test('while nobody can sign in, the sign-in page says where the set-up link is, and no form opens without it', async ({
  page,
}) => {
  await page.goto('settings/api-keys');
  await expect(page.getByRole('heading', { level: 1, name: 'Not set up yet' })).toBeVisible();
  await expect(page.getByText(/terminal in which the service was started/)).toBeVisible();
  await expectVariantAccessible(page, 'not set up');
  await expect(page.getByRole('textbox')).toHaveCount(0);

  await page.goto('/set-up');
  await expect(page.getByRole('heading', { level: 1, name: 'Open the set-up link' })).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);

  await page.goto('/set-up#not-the-token');
  await expect(
    page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }),
  ).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('the set-up link makes the first account, once, and signs its owner in', async ({
  page,
  service,
}) => {
  await openSetUp(page, service.server);
  await expect(page, 'the token leaves the address bar').toHaveURL(`${service.origin}/set-up`);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('textbox', { name: 'Account name' })).toBeFocused();
  await expectAccessible(page, 'set-up with errors');

  const person = { email: 'grace@example.com', password: 'nine words are a good password' };
  await page.getByRole('textbox', { name: 'Account name' }).fill('Hopper & Daughters');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(person.email);
  const password = page.getByRole('textbox', { name: 'Password' });
  await password.fill('too short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription('Use at least 12 characters.');
  for (const [guessable, reason] of [
    ['password1234', /^This is one of the passwords that are used most/],
    [person.email, /^This password is made of your name, your e-mail address/],
  ] as const) {
    await password.fill(guessable);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(password).toHaveAccessibleDescription(reason);
    await expect(password).toBeFocused();
  }
  await password.fill(person.password);
  await expect(page.getByText('Long enough')).toBeVisible();
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page).toHaveURL(/\/a\/[\w-]+\/settings\/api-keys$/);
  await expect(page.getByRole('complementary')).toContainText('Hopper & Daughters');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  await expect(page).toHaveTitle(/^API keys · /);
  await expectAccessible(page, 'no keys');
  await expect(page.getByRole('button', { name: /Grace.*Owner.*Your menu$/ })).toBeVisible();

  await page.goto('/set-up');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Nothing to set up here' }),
  ).toBeVisible();
  await expect(page.getByText(/terminal/)).toBeHidden();

  // For somebody who is not signed in, as after a restart.
  await page.context().clearCookies();
  await page.goto(setUpLink(service.server));
  await expect(
    page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await signIn(page, person);
  await expect(page).toHaveURL(/\/a\/[\w-]+\/settings\/api-keys$/);

  // That no link is printed once somebody is there is shown without a start as well.
  if (!isFullRun) return;
  // It may still fetch its icon, which would fail with the server.
  await page.close();
  const before = service.server?.output().length ?? 0;
  await service.server?.kill();
  await service.server?.start();
  expect(service.server?.output().slice(before)).toContain('Ready: ');
  expect(service.server?.output().slice(before)).not.toContain('/set-up');
});
