import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { mainAct, readWebhook } from './pages/webhooks.ts';

test.skip(isRemote, 'cuts the service off');

test('while the API is away, a webhook’s page and form keep what they hold, and go on after', async ({
  api,
  between,
  context,
  givenWebhook,
  guard,
  named,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  guard.allow(/status of 50[03]/);
  // How React says that a page could not be made on the server.
  guard.allow(/Server Components render|React error #441/);
  const form = await context.newPage();
  await form.goto(`settings/webhooks/${webhook.uuid}/edit`);
  const name = named('Typed before');
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.goto(`settings/webhooks/${webhook.uuid}`);
  await expect(mainAct(page, 'Pause')).toBeVisible();
  between.cut();

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

  between.reset();
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
  await expect(refusal).toBeHidden();
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(form.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ name, status: 'paused' });
  // First: a page goes on asking.
  await form.close();
});
