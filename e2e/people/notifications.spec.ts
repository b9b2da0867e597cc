import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test.use({ accountName: 'Notifications Ltd' });

test('the last lines of an email lead to where a person turns such mails off, which stays so', async ({
  context,
  page,
  session,
}) => {
  await context.addCookies(session);
  await page.goto('/settings/profile#notifications');
  await expect(page).toHaveURL(/\/a\/[\w-]+\/settings\/profile#notifications$/);
  const section = page.getByRole('heading', { name: 'Notifications' });
  await expect(section).toBeInViewport();
  const webhooks = page.getByRole('switch', { name: 'Webhooks' });
  const members = page.getByRole('switch', { name: 'New members' });
  await expect(webhooks).toBeChecked();
  await webhooks.click();
  await expect(webhooks).not.toBeChecked();
  await expect(webhooks).not.toHaveAttribute('aria-busy');

  await page.reload();
  await expect(webhooks).not.toBeChecked();
  await expect(members).toBeChecked();
  await webhooks.click();
  await expect(webhooks).toBeChecked();
});
