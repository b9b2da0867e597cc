import { expect } from '@playwright/test';
import { choose, handledPageError, rowOf, signIn } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { startServer } from '../helpers/servers/server.ts';

test('a read whose connection breaks off is retried once before the page shows an error', async ({
  guard,
  signedIn: page,
}) => {
  guard.allow(/ERR_CONNECTION_RESET/);
  await page.clock.install();
  await page.goto('settings/api-keys');
  await expect(rowOf(page, 'Initial key')).toBeVisible();
  let reads = 0;
  await page.route('**/data/listApiKeys', async (route) => {
    reads += 1;
    await (reads === 1 ? route.abort('connectionreset') : route.continue());
  });
  await page.clock.pauseAt(Date.now() + 40_000);
  const away = page.getByText('The service cannot be reached', { exact: true });
  let wasSaid = false;
  const passTime = async () => {
    await page.clock.runFor(500);
    wasSaid ||= await away.isVisible();
    return reads;
  };
  await expect.poll(passTime).toBe(2);
  await expect(rowOf(page, 'Initial key')).toBeVisible();
  expect(wasSaid).toBe(false);
});

test('while the API is away the dashboard keeps what it knows, says so, and recovers', async ({
  apiProxy,
  guard,
  service,
  signedIn: page,
}) => {
  const name = 'Initial key';
  // The dashboard in its own process, as it may be deployed.
  const web = await startServer({
    ROLES: 'web',
    API_BASE_URL: apiProxy.origin,
    DASHBOARD_CREDENTIAL: service.credential,
  });
  guard.trust(web.origin);
  guard.allow(/status of 50[03]/);
  guard.allow(handledPageError);
  try {
    await page.goto(`${web.origin}/settings/api-keys`);
    await expect(rowOf(page, name)).toBeVisible();
    apiProxy.cut();

    await choose(page, name, 'Rotate token');
    // The button of the dialog: a banner of the page behind it has a button with the same name.
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
    const refusal = dialog.getByRole('alert');
    await expect(refusal).toContainText(`We could not confirm whether ${name} was rotated`);
    await expect(refusal).toContainText('The service is not available right now.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const away = page.getByText('The service cannot be reached', { exact: true });
    await expect(away).toBeVisible();
    await expect(page.getByText(/You see this page as of \d\d:\d\d\./)).toBeVisible();
    await expect(rowOf(page, name)).toBeVisible();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByRole('table', { name: 'Loading webhooks' })).toBeVisible();
    await expect(page).toHaveURL(/\/settings\/webhooks$/);
    await expect(away).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('table', { name: 'Loading webhooks' })).toBeVisible();
    await expect(away).toHaveCount(1);
    apiProxy.reset();
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    await expect(away).toBeHidden();

    apiProxy.cut();
    await page.context().clearCookies();
    await page.goto(`${web.origin}/sign-in`);
    await signIn(page, service.owner);
    await expect(page.getByText('We could not confirm whether you were signed in')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(service.owner.email);

    apiProxy.reset();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(rowOf(page, name)).toBeVisible();
    // The log says so too, in a line, without the stack of each page that met the outage.
    expect(web.output()).toContain('The dashboard cannot reach the API');
    expect(web.output()).toContain('The dashboard reaches the API again.');
    expect(web.output()).not.toContain('ApiError');
    expect(web.output()).not.toContain('MaxListenersExceededWarning');
  } finally {
    // Closed first, because a page keeps sending requests.
    await page.close();
    await web.destroy();
  }
});
