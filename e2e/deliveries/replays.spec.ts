import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { readData } from '../helpers/read-data.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { endOnService, proveIdentity, signInPrompt } from '../pages/people/identity.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';
import { openDeliveries } from '../pages/deliveries.ts';
import { beginButton, chooseSince, openReplay, replayButton } from '../pages/replays.ts';
import type { ReceivedRequest } from '../helpers/servers/receiver.ts';
import { writeMessage } from '../helpers/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

test('a replay whose events wait for a retry, since all were sent once, is cancelled', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await setActive(api, webhook, false);
  const since = new Date();
  await writeMessage(api, 'Missed, one.');
  await writeMessage(api, 'Missed, two.');
  await setActive(api, webhook, true);
  receiver.respondWith({ status: 503 });
  const question = await openReplay(page, webhook);
  await chooseSince(question, since);
  await question.getByRole('button', { name: 'Replay 2 events' }).click();
  await expect(page.getByText('2 events were sent.').last()).toBeVisible();

  await page.getByRole('button', { name: 'Cancel replay' }).click();
  const cancelled = page.getByText('Replay cancelled: 2 of 2 events were queued.').last();
  await expect(cancelled).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Deliveries', exact: true })).toBeFocused();
  await expect.poll(async () => await statusesOf(api, webhook)).toEqual(['cancelled', 'cancelled']);
});

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
  await openDeliveries(page, webhook);
  await expect(page.getByText('1 delivery waits for a retry')).toBeVisible();
  await expectAccessible(page, 'deliveries that wait', page.getByRole('main'));
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

test('support replays, signed in again on the way if need be', async ({
  api,
  browser,
  givenWebhook,
  receiver,
  request,
  service,
}) => {
  const support = await addMember(service, { name: 'sam', role: 'support' });
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await setActive(api, webhook, false);
  const since = new Date();
  await writeMessage(api, 'Missed.');
  await setActive(api, webhook, true);

  const storageState = await sessionOf(service, support);
  const context = await browser.newContext({ baseURL: service.home, storageState });
  const helped = await context.newPage();
  const question = await openReplay(helped, webhook);
  await chooseSince(question, since);
  const begin = question.getByRole('button', { name: 'Replay 1 event' });
  await expect(begin).toBeVisible();
  await endOnService(request, { service, cookies: await context.cookies() });
  // The page keeps reading, and so notices it.
  await proveIdentity(signInPrompt(helped), support);
  await begin.click();
  expect(textOf(await receiver.received(1))).toBe('Missed.');
  await context.close();
});

/** Skips the events of the pause: a replay is to send them. */
async function setActive(
  api: APIRequestContext,
  { uuid }: { uuid: string },
  isActive: boolean,
): Promise<void> {
  const data = { is_active: isActive, ...(isActive && { backlog: 'skip' }) };
  const response = await api.patch(`/api/v1/webhooks/${uuid}`, { data });
  expect(response.status(), await response.text()).toBe(200);
}

async function statusesOf(api: APIRequestContext, { uuid }: { uuid: string }): Promise<string[]> {
  const response = await api.get(`/api/v1/webhooks/${uuid}/deliveries`);
  const data = await readData<{ status: string }[]>(response);
  return data.map(({ status }) => status);
}

function textOf({ body }: ReceivedRequest): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}
