import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { mainAct, readWebhook } from './pages/webhooks.ts';
import { startServer } from './server.ts';

test.skip(isRemote, 'stops the service');

test('while the API is away, a webhook’s page and form keep what they hold, and go on after', async ({
  api,
  context,
  givenWebhook,
  guard,
  named,
  service,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
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
  const form = await context.newPage();
  try {
    await form.goto(`${web.origin}/settings/webhooks/${webhook.uuid}/edit`);
    const name = named('Typed before');
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.goto(`${web.origin}/settings/webhooks/${webhook.uuid}`);
    await expect(mainAct(page, 'Pause')).toBeVisible();
    await service.server?.stop();

    await mainAct(page, 'Pause').click();
    const refusal = page
      .getByRole('status')
      .filter({ hasText: `It is unknown whether ${webhook.name} was paused` });
    await expect(refusal).toContainText('The service is not available right now.');
    await expect(page.getByText('The webhook could not be refreshed')).toBeVisible();
    await expect(mainAct(page, 'Pause')).toBeVisible();

    await form.getByRole('button', { name: 'Save changes' }).click();
    await expect(form.getByText('It is unknown whether the webhook was changed')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(name);

    await service.server?.start();
    await refusal.getByRole('button', { name: 'Try again' }).click();
    await expect(mainAct(page, 'Resume')).toBeVisible();
    await expect(refusal).toBeHidden();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await expect(form.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    expect(await readWebhook(api, webhook.uuid)).toMatchObject({ name, status: 'paused' });
  } finally {
    // First: a page goes on asking.
    await page.close();
    await form.close();
    await web.destroy();
    await service.server?.start();
  }
});
