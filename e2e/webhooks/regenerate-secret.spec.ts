import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  factOf,
  openWebhooks,
  readSecretOnce,
  readWebhook,
  setActive,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

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

test('the old secret is ended by its last four characters, and deliveries have one signature from then on', async ({
  api,
  createWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name, secret: old } = await createWebhook({ url: receiver.url });
  await choose(page, name, 'Regenerate secret');
  await page.getByRole('button', { name: 'Regenerate secret', exact: true }).click();
  const newest = await readSecretOnce(page);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const section = page.getByRole('main');
  await expect(section.getByText(newest.slice(-4)).first()).toBeVisible();
  await expect(section).toContainText(`The old secret whsec_…${old.slice(-4)} also signs until`);
  await writeMessage(api, 'With both.');
  const signatures = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['webhook-signature']).split(' ').length;
  expect(signatures(await receiver.received(1))).toBe(2);

  await section.getByRole('button', { name: /^End now/ }).click();
  const question = page.getByRole('alertdialog', { name: `End secret …${old.slice(-4)}` });
  await expect(question).toContainText(`whsec_…${newest.slice(-4)}`);
  await expectAccessible(page, 'ending an old secret', question);
  await question.getByRole('button', { name: /^End secret/ }).click();
  await expect(question).toBeHidden();
  await expect(section).not.toContainText('The old secret');
  await writeMessage(api, 'With the newest.');
  const last = await receiver.received(2);
  expect(signatures(last)).toBe(1);
  expect(receiver.verify(last, newest)).toBe(true);
});

test('a paused webhook is sent a test, and its page names who created it', async ({
  api,
  createWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name, secret } = await createWebhook({ url: receiver.url });
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  expect(await factOf(page, 'Created')).toMatch(/ UTC by \S/);
  const uuid = page.url().split('/').at(-2) ?? '';
  await setActive(api, { uuid }, false);
  await writeMessage(api, 'Nobody gets this.');
  await page.reload();
  await expect(page.getByText('Only tests are sent to it.')).toBeVisible();
  await page.getByRole('button', { name: 'Send test', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Send a test to ${name}` });
  await expect(dialog).toHaveAccessibleDescription(/The webhook is paused: it is sent this test/);
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await expect(dialog.getByRole('status', { name: 'Result of the test' })).toContainText(
    'Delivered',
  );
  const sent = await receiver.received(1);
  expect(JSON.parse(sent.body)).toMatchObject({ type: 'webhook.test', test: true });
  expect(receiver.verify(sent, secret)).toBe(true);
});
