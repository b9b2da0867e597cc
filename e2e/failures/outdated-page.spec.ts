import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('a press on something that could not be loaded says so, and opens it once it can be loaded; an action of a page from before an upgrade says that nothing was done, and offers to reload the page', async ({
  api,
  givenApiKey,
  guard,
  named,
  service,
  signedIn: page,
}) => {
  guard.allow(/ERR_CONNECTION_REFUSED|status of 409/);
  const key = await givenApiKey();
  const path = `${service.home}settings/api-keys`;
  // Scripts that the page needs immediately are named in it; the others load later.
  const sent = await (await page.context().request.get(path)).text();
  let isAway = true;
  await page.route('**/_next/static/**/*.js', async (route) => {
    const isOfPage = sent.includes(new URL(route.request().url()).pathname);
    await (isAway && !isOfPage ? route.abort('connectionrefused') : route.continue());
  });
  await page.goto(path);

  await test.step('a part that could not be loaded', async () => {
    const actions = page.getByRole('button', { name: `Actions for ${key.name}` });
    await actions.click();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await expect(alert).toBeVisible();
    await expect(actions).toBeFocused();
    isAway = false;
    await alert.getByRole('button', { name: 'Try now' }).click();
    await expect(page.getByRole('menuitem', { name: 'Rotate token' })).toBeVisible();
    await expect(alert).toBeHidden();
    await page.keyboard.press('Escape');
  });

  await test.step('an action that the service no longer knows', async () => {
    const name = named('Outdated');
    await page.getByRole('link', { name: 'Create key' }).click();
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
});

test('a part that cannot be loaded, as after an upgrade, can be loaded by reloading the page', async ({
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const path = `${service.home}settings/team`;
  const sent = await (await page.context().request.get(path)).text();
  const isLater = (url: URL) => url.pathname.endsWith('.js') && !sent.includes(url.pathname);
  let isGone = true;
  await page.route(isLater, async (route) => {
    await (isGone ? route.fulfill({ status: 404 }) : route.continue());
  });
  await page.goto(path);

  await page.getByRole('button', { name: 'Invite member' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(alert).toBeVisible();
  const reload = alert.getByRole('button', { name: 'Reload page' });
  await expect(reload).toBeVisible();
  // Not earlier: the page itself tries again, and the button disappears once that works.
  page.once('framenavigated', () => (isGone = false));
  await reload.click();
  await expect(alert).toBeHidden();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
