import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { choose } from '../pages/api-keys.ts';
import { readSecretOnce } from '../pages/secret-dialog.ts';
import { openWebhooks, readWebhook } from '../pages/webhooks.ts';

test('a link to a webhook can ask for its secret to be regenerated, once, and its settings have a button for it', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true });
  await page.goto(`settings/webhooks/${uuid}/settings?act=regenerate`);
  const question = page.getByRole('dialog', { name: `Generate secret of ${name}` });
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(`settings/webhooks/${uuid}/settings`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Generate secret', exact: true }).click();
  await expect(question).toBeVisible();
});

test('a first secret does not replace one that someone else was shown in the meantime, unless it is generated again', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true });
  await openWebhooks(page);
  await choose(page, name, 'Generate secret');
  const question = page.getByRole('dialog', { name: `Generate secret of ${name}` });
  await expect(question).toBeVisible();
  await api.post(`/api/v1/webhooks/${uuid}/regenerate-secret`, {
    data: { grace_period_seconds: 0 },
  });
  const { secret } = await readWebhook(api, uuid);
  const generate = question.getByRole('button', { name: 'Generate secret' });
  await generate.click();
  await expect(question.getByText(/was already regenerated on/)).toBeVisible();
  expect((await readWebhook(api, uuid)).secret).toEqual(secret);

  await generate.click();
  await readSecretOnce(page);
  const until = (await readWebhook(api, uuid)).secret.previous_valid_until;
  expect(until, 'the other secret still signs').not.toBeNull();
});
