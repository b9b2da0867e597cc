import { expect } from '@playwright/test';
import {
  expectAccessible,
  followLink,
  linkIn,
  signIn,
  tracesOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Recovery Ltd' });

const chosen = 'a staple that nobody knows';

test('a person who forgot their password requests a link, chooses a new one with it once, is signed out everywhere and signs in', async ({
  browser,
  page,
  service,
}) => {
  const { owner, worker } = service;
  const before = await pageOf(browser, service, owner);

  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'Email' }).fill(owner.email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveTitle(/^Forgot your password\?/);
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(owner.email);
  await expectAccessible(page, 'forgot password');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(
    page.getByRole('heading', { name: 'Ask your administrator for the link' }),
  ).toBeVisible();
  await expect(page.getByRole('main')).toContainText('your administrator can give you a link');

  const mail = await worker.readMail({ to: owner.email, subject: 'Choose a new password' });
  const link = linkIn(mail, 'reset-password');
  await page.goto(link);
  await expect(page).toHaveURL('/reset-password');
  // Opening the page sends nothing, as an email scanner would do.
  const other = await browser.newContext({ baseURL: service.origin });
  const elsewhere = await other.newPage();
  await elsewhere.goto(link);
  await expectAccessible(page, 'a link that is not opened yet');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('main')).toContainText(owner.email);
  // Opened, it is bound to this browser: void elsewhere, and still good here.
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await expect(
    elsewhere.getByRole('heading', { name: 'This link is no longer valid' }),
  ).toBeVisible();
  await other.close();
  await page.reload();
  await expect(page.getByRole('main')).toContainText(owner.email);
  await followLink(page, link);
  expect(await tracesOf(page, link.split('#')[1] ?? link)).toEqual([]);
  const password = page.getByRole('textbox', { name: 'New password' });
  await password.fill('password1234');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'reset password with an error');
  await password.fill(chosen);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();

  await before.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await expect(before).toHaveURL(/\/sign-in\?next=/);
  await before.context().close();

  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(owner.email);
  await followLink(page, link);
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  await page.goto('/sign-in');
  await signIn(page, { ...owner, password: chosen });
  await expect(page).toHaveURL(/\/settings\/api-keys$/);
  await worker.readMail({ to: owner.email, subject: 'Your password was changed' });
});
