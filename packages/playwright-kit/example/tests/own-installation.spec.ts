import {
  createInstallation,
  expect,
  followLink,
  linkIn,
  test as base,
} from 'conversation-service-playwright-kit';
import type { OwnInstallation } from 'conversation-service-playwright-kit';

const test = base.extend<object, { installation: OwnInstallation }>({
  installation: [
    async ({ playwright: _ }, use) => {
      const installation = await createInstallation({ product: process.env['PRODUCT'] ?? '' });
      await use(installation);
      await installation.close();
    },
    // The first start prepares a data folder, which later ones copy.
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('a forgotten password is replaced with the emailed link', async ({
  account,
  installation,
  page,
}) => {
  const { email } = account.owner;
  await page.goto('/forgot-password');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();

  const mail = await installation.readMail({ to: email, subject: 'Choose a new password' });
  await followLink(page, linkIn(mail, 'reset-password'));
  await page.getByRole('textbox', { name: 'New password' }).fill('a staple that nobody knows');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
});
