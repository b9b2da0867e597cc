import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { choose, rowOf } from './pages/api-keys.ts';
import { signIn } from './pages/door.ts';
import { startServer } from './server.ts';

test.skip(isRemote, 'stops the service');

test('while the API is away the dashboard keeps what it knows, says so, and recovers', async ({
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  // The dashboard in a process of its own, so that it outlives the API.
  const web = await startServer({
    ROLES: 'web',
    API_BASE_URL: service.origin,
    DASHBOARD_CREDENTIAL: service.credential ?? '',
  });
  guard.trust(web.origin);
  guard.allow(/status of 50[03]/);
  // How React says that a page could not be made on the server.
  guard.allow(/Server Components render|React error #441/);
  try {
    await page.goto(`${web.origin}/settings/api-keys`);
    await expect(rowOf(page, name)).toBeVisible();
    await service.server?.stop();

    await choose(page, name, 'Rotate token');
    await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
    const refusal = page.getByRole('dialog').getByRole('alert');
    await expect(refusal).toContainText(`${name} was not rotated`);
    await expect(refusal).toContainText('The service is not available right now.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('The list could not be refreshed')).toBeVisible();
    await expect(rowOf(page, name)).toBeVisible();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByText('This page could not be shown')).toBeVisible();

    await page.context().clearCookies();
    await page.goto(`${web.origin}/sign-in`);
    await signIn(page, service.owner);
    await expect(page.getByText('Sign-in did not get through')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(service.owner.email);

    await service.server?.start();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(rowOf(page, name)).toBeVisible();
  } finally {
    // First: a page goes on asking.
    await page.close();
    await web.destroy();
    await service.server?.start();
  }
});
