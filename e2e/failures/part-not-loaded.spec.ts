import { expect } from '@playwright/test';
import { fullTest, test } from '../fixtures.ts';

test('a press on something that could not be loaded says so, and opens it once it can be loaded', async ({
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/ERR_CONNECTION_REFUSED/);
  const { name } = await givenApiKey();
  const path = `${service.home}settings/api-keys`;
  // Scripts that the page needs immediately are named in it; the others load later.
  const sent = await (await page.context().request.get(path)).text();
  let isAway = true;
  await page.route('**/_next/static/**/*.js', async (route) => {
    const isOfPage = sent.includes(new URL(route.request().url()).pathname);
    await (isAway && !isOfPage ? route.abort('connectionrefused') : route.continue());
  });
  await page.goto(path);

  const actions = page.getByRole('button', { name: `Actions for ${name}` });
  await actions.click();
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(alert).toBeVisible();
  await expect(actions).toBeFocused();
  isAway = false;
  await alert.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rotate token' })).toBeVisible();
  await expect(alert).toBeHidden();
});

fullTest(
  'a part that cannot be loaded, as after an upgrade, can be loaded by reloading the page',
  async ({ guard, service, signedIn: page }) => {
    guard.allow(/status of 404/);
    const path = `${service.home}settings/team`;
    const sent = await (await page.context().request.get(path)).text();
    const isLater = (url: URL) => url.pathname.endsWith('.js') && !sent.includes(url.pathname);
    await page.route(isLater, async (route) => await route.fulfill({ status: 404 }));
    await page.goto(path);

    await page.getByRole('button', { name: 'Invite member' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await expect(alert).toBeVisible();
    const reload = alert.getByRole('button', { name: 'Reload page' });
    await expect(reload).toBeVisible();
    await page.unroute(isLater);
    await reload.click();
    await expect(alert).toBeHidden();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
);
