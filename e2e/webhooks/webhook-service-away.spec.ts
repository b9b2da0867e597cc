import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { handledPageError } from '../helpers/watch-browser.ts';
import { mainAct, readWebhook } from '../pages/webhooks.ts';

test.skip(isRemote, 'cuts the service off');

test('while the API is away, a webhook’s form and page keep what they hold, and go on after', async ({
  api,
  apiProxy,
  givenWebhook,
  guard,
  named,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  guard.allow(/status of 50[03]/);
  guard.allow(handledPageError);
  await page.goto(`settings/webhooks/${webhook.uuid}/edit`);
  const name = named('Typed before');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  apiProxy.cut();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(
    page.getByText('We could not confirm whether the webhook was changed'),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  apiProxy.reset();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await expect(mainAct(page, 'Pause')).toBeVisible();

  apiProxy.cut();
  await mainAct(page, 'Pause').click();
  const refusal = page
    .getByRole('status')
    .filter({ hasText: `We could not confirm whether ${name} was paused` });
  await expect(refusal).toContainText('The service is not available right now.');
  await expect(page.getByText('The service can’t be reached', { exact: true })).toBeVisible();
  await expect(mainAct(page, 'Pause')).toBeVisible();
  apiProxy.reset();
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
  await expect(refusal).toBeHidden();
  // The page shows it before the service has responded.
  await expect.poll(() => readWebhook(api, webhook.uuid)).toMatchObject({ name, status: 'paused' });
});
