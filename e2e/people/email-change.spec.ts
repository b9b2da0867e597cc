import { expect } from '@playwright/test';
import { expectAccessible, followLink, linkIn, signIn } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Recovery Ltd' });

const chosen = 'a staple that nobody knows';

test('a person changes their name and email; the previous address undoes the change and chooses a new password', async ({
  browser,
  context,
  page,
  service,
  session,
}) => {
  const { owner, account, worker } = service;
  await context.addCookies(session);
  await page.goto('settings/profile');
  const name = page.getByRole('textbox', { name: 'Your name' });
  await name.fill('Ada Marlow');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Your name was changed.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Ada Marlow.*Your menu$/ })).toBeVisible();

  const email = `new@${account.domain}`;
  const field = page.getByRole('textbox', { name: 'New email address' });
  const change = page.getByRole('button', { name: 'Change email address' });
  await field.fill(owner.email);
  await change.click();
  await expect(field).toHaveAccessibleDescription('This is already your email address.');
  await field.fill(email);
  await change.click();
  await expect(
    page.getByText(`The change to ${email} is waiting for confirmation. No email was sent.`),
  ).toBeVisible();
  await expectAccessible(page, 'profile with a change that waits');
  await page.getByRole('button', { name: 'Cancel change' }).click();
  await expect(page.getByText(`The change to ${email} was cancelled.`)).toBeVisible();
  await field.fill(email);
  await change.click();
  await expect(page.getByText(`${email} must confirm by`)).toBeVisible();

  const confirmation = await worker.readMail({
    to: email,
    subject: 'Confirm your email address',
  });
  const other = await browser.newContext({ baseURL: service.origin });
  const mailbox = await other.newPage();
  await followLink(mailbox, linkIn(confirmation, 'confirm-email'));
  await expect(mailbox).toHaveURL('/confirm-email');
  await expect(mailbox.getByRole('main')).toContainText(`Ada Marlow wants to sign in as ${email}`);
  await expectAccessible(mailbox, 'confirm email');
  await mailbox.getByRole('button', { name: 'Confirm' }).click();
  await expect(
    mailbox.getByRole('heading', { name: 'Your email address was changed' }),
  ).toBeVisible();

  await page.reload();
  await expect(page.getByText(`You sign in as ${email}.`)).toBeVisible();
  await expect(page.getByText(/^You changed it recently\./)).toBeVisible();
  await expect(change).toBeHidden();

  const warning = await worker.readMail({
    to: owner.email,
    subject: 'Your email address is about to change',
  });
  await followLink(mailbox, linkIn(warning, 'revoke-email-change'));
  await expect(mailbox.getByRole('main')).toContainText(`replaced ${owner.email} with ${email}`);
  await expectAccessible(mailbox, 'revoke a change of email');
  await mailbox.getByRole('button', { name: 'This wasn’t me: undo the change' }).click();
  await mailbox.getByRole('textbox', { name: 'New password' }).fill(chosen);
  await mailbox.getByRole('button', { name: 'Change password' }).click();
  await mailbox.getByRole('link', { name: 'Go to sign-in' }).click();
  await signIn(mailbox, { email: owner.email, password: chosen });
  await expect(mailbox).toHaveURL(/\/settings\/api-keys$/);
  await other.close();

  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.context().clearCookies();
  const back = await pageOf(browser, service, { ...owner, address: 'settings/profile' });
  await expect(back.getByText(`You sign in as ${owner.email}.`)).toBeVisible();
  await back.context().close();
});
