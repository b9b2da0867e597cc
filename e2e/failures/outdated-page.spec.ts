import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('a page from before an upgrade says that nothing was done, and offers to reload it', async ({
  api,
  guard,
  named,
  signedIn: page,
}) => {
  guard.allow(/status of 409/);
  const name = named('Outdated');
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  // Every build gives its actions new ids: the service does not know those of an older page.
  await page.route('**/settings/api-keys/new', async (route) => {
    const headers = route.request().headers();
    if ('next-action' in headers) headers['next-action'] = '7f'.repeat(21);
    await route.continue({ headers });
  });
  await page.getByRole('button', { name: 'Create key' }).click();

  const panel = page.getByRole('status').filter({ hasText: 'The key was not created' });
  await expect(panel).toContainText('The dashboard was updated after you opened this page');
  await expect(page.getByText('could not confirm')).toBeHidden();
  expect(await (await api.get('/api/v1/api-keys')).text()).not.toContain(name);

  page.on('dialog', (dialog) => void dialog.accept());
  await panel.getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
});
