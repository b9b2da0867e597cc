import { expect } from '@playwright/test';
import { openDelivery } from 'conversation-service-playwright-kit';
import { takePicture, test } from './fixtures.ts';
import { people } from './story/marlow-and-finch.ts';

test('api-keys', async ({ open }) => {
  // The service stores the uses of tokens every ten seconds.
  await expect(async () => {
    const page = await open(people.ada, 'settings/api-keys');
    const lastUsed = page.getByRole('row', { name: /Production backend/ });
    await expect(lastUsed).toContainText('10:18 UTC', { timeout: 1000 });
    await expect(lastUsed).toContainText('1 min ago', { timeout: 1000 });
    await takePicture(page, { name: 'api-keys', height: 760 });
  }).toPass();
});

test('webhooks', async ({ open }) => {
  const page = await open(people.ada, 'settings/webhooks');
  await expect(page.getByRole('row', { name: /Old CRM/ })).toContainText('Failing');
  await takePicture(page, { name: 'webhooks', height: 480 });
});

test('delivery', async ({ company, open }) => {
  const page = await open(people.ada, `settings/webhooks/${company.webhooks.crm}/deliveries`);
  await page.setViewportSize({ width: 1280, height: 760 });
  const row = page.getByRole('row').filter({ hasText: 'Retrying' }).nth(4);
  const drawer = await openDelivery(page, row);
  await expect(drawer.getByText('Internal Server Error')).toBeVisible();
  await takePicture(page, { name: 'delivery', height: 760 });
});

test('invite', async ({ open }) => {
  const page = await open(people.ada, 'settings/team');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill('sara@marlow-finch.example');
  await dialog.getByRole('radio', { name: 'Support', exact: true }).check();
  await takePicture(page, { name: 'invite', height: 940 });
});

test('team', async ({ open }) => {
  const page = await open(people.ada, 'settings/team');
  await expect(page.getByRole('row', { name: /Priya Nair/ })).toContainText('Ticket 4812');
  await takePicture(page, { name: 'team', height: 850 });
});

test('account', async ({ open }) => {
  const page = await open(people.ada, 'settings/account');
  await page.getByRole('radio', { name: /^Webhook and bot/ }).check();
  await page.getByRole('checkbox', { name: /can read messages/ }).check();
  await page.getByRole('switch', { name: 'Require a second factor' }).check();
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await takePicture(page, { name: 'account', height: 960 });
});

test('security', async ({ open }) => {
  const page = await open(people.ada, 'settings/security');
  await expect(page.getByText('10 of 10 codes left')).toBeVisible();
  await takePicture(page, { name: 'security', height: 620 });
});

test('support-desk', async ({ open }) => {
  const page = await open(people.priya, '/support');
  await page.getByRole('textbox', { name: 'Search all accounts' }).fill('monitor');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Results' })).toContainText('Old monitor');
  await takePicture(page, { name: 'support-desk', height: 900 });
});

test('rotation-request', async ({ open }) => {
  const page = await open(people.nora, 'settings/webhooks');
  await page.getByRole('link', { name: 'Open request' }).click();
  await expect(page.getByRole('heading', { name: /^Priya Nair asks you/ })).toBeVisible();
  await takePicture(page, { name: 'rotation-request', height: 600 });
});
