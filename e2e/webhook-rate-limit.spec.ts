import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { choose, rowOf } from './pages/api-keys.ts';
import { openWebhooks, readWebhook } from './pages/webhooks.ts';

test.skip(isRemote, 'uses up the calls of a minute');

test('refused for the rate, a pause and an edit count down, undo or keep, and repeat nothing', async ({
  api,
  context,
  control,
  givenWebhook,
  service,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const form = await context.newPage();
  await page.clock.install();
  await form.clock.install();
  await form.goto(`settings/webhooks/${uuid}/edit`);
  await form.getByRole('textbox', { name: 'Name' }).fill('Kept while waiting');
  await openWebhooks(page);
  await expect(rowOf(page, name)).toBeVisible();
  await control.useUpCalls(service.owner);

  await choose(page, name, 'Pause');
  await expect(page.getByText(/^Too many requests\. Try again in \d+:\d\d$/)).toBeVisible();
  await expect(page.getByText(`${name} was not paused.`)).toBeVisible();
  await expect(rowOf(page, name)).toContainText('Active');
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toHaveAccessibleDescription(/Possible again in \d+ s/);

  const save = form.getByRole('button', { name: 'Save changes' });
  await save.click();
  await expect(form.getByText(/^Too many requests\. Try again in \d+:\d\d$/)).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Kept while waiting');

  await page.clock.fastForward('01:01');
  await form.clock.fastForward('01:01');
  await expect(page.getByText(`${name} was not paused`, { exact: true })).toBeVisible();
  await expect(again).not.toHaveAttribute('aria-disabled');
  await expect(save).not.toHaveAttribute('aria-disabled');
  expect(await readWebhook(api, uuid)).toMatchObject({ name, status: 'active' });
});
