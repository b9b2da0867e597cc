import { expect } from '@playwright/test';
import {
  beginButton,
  chooseSince,
  expectAccessible,
  openDeliveries,
  readData,
  replayButton,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('after an outage, what waits for its retry is sent now, and the progress ends with its last event', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  receiver.respondWith({ status: 503, headers: { 'retry-after': '900' } }, { status: 204 });
  await writeMessage(api, 'Refused.');
  await receiver.received(1);
  await writeMessage(api, 'Accepted.');
  await receiver.received(2);
  const waiting = page.getByText('1 event waiting since the outage');
  await page.goto(`settings/webhooks/${webhook.uuid}`);
  await expect(waiting).toBeVisible();
  await openDeliveries(page, webhook);
  await expect(waiting).toBeVisible();
  const sendAll = page.getByRole('button', { name: 'Send all waiting now' });
  await sendAll.click();
  await receiver.received(3);
  await expect(page.getByText('1 event was sent.').last()).toBeVisible();
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await dismiss.click();
  await expect(dismiss).toBeHidden();
  await expect(sendAll).toBeHidden();
  await expect(
    page.getByRole('row', { name: /message\.created, replayed, Delivered/ }),
  ).toBeVisible();
});

test('another webhook’s replay is not shown; a window without events, and one that is none, are refused in words', async ({
  api,
  givenWebhook,
  guard,
  receiver,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  const other = await givenWebhook({ url: receiver.url, isActive: true });
  const response = await api.post(`/api/v1/webhooks/${other.uuid}/replays`, {
    data: { since: '2026-01-01T00:00:00Z', status: 'failed' },
  });
  const data = await readData<{ uuid: string }>(response);
  const unknown = ['0198c2a4-0000-7000-8000-000000000007', 'nonsense'];
  for (const uuid of [...unknown, data.uuid]) {
    await page.goto(`settings/webhooks/${webhook.uuid}/deliveries?replay=${uuid}`);
    await expect(page.getByRole('heading', { level: 1, name: webhook.name })).toBeVisible();
    await expect(page).not.toHaveURL(/replay=/);
    await expect(page.getByRole('button', { name: /^(Cancel replay|Dismiss)$/ })).toHaveCount(0);
  }

  await replayButton(page).click();
  const question = page.getByRole('dialog', { name: `Replay events to ${webhook.name}` });
  await chooseSince(question, new Date());
  const begin = beginButton(question);
  await expect(
    question.getByText('Nothing to send in this window.', { exact: true }),
  ).toBeVisible();
  await expect(begin).toHaveAccessibleDescription('There is nothing to send in this window.');
  const from = question.getByLabel('From', { exact: true });
  const until = question.getByLabel('Until');
  for (const [since, end, words] of [
    ['2031-01-31T12:00', '', /in the future/],
    ['2026-11-19T12:00', '2026-11-19T11:59', /must be before the end/],
    ['', '', /Enter a day and a time/],
  ] as const) {
    await from.fill(since);
    await until.fill(end);
    await begin.click();
    await expect(from).toBeFocused();
    await expect(from).toHaveAttribute('aria-invalid', 'true');
    await expect(from).toHaveAccessibleDescription(words);
  }
  await expectAccessible(page, 'replay a window, with an error', question);
  await expect(question).toContainText('Coordinated Universal Time');
  await expect(page).not.toHaveURL(/replay=/);
});
