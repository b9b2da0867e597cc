import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { test } from '../../fixtures.ts';
import { readData } from '../../helpers/read-data.ts';
import { deliveriesOf, deliveryDrawer, openDelivery } from '../../pages/deliveries.ts';
import { expectAccessible } from '../../pages/checks/accessibility.ts';
import { chooseSince, followedReplay, openReplay, replayButton } from '../../pages/replays.ts';
import { goTo } from '../../pages/follow-sidebar-link.ts';
import { openTab } from '../../pages/webhooks.ts';
import type { Receiver, ReceivedRequest } from '../../helpers/servers/receiver.ts';
import { writeMessage } from '../../helpers/write-message.ts';

type Diagnosing = {
  api: APIRequestContext;
  receiver: Receiver;
  webhook: { name: string; uuid: string };
};

/** Finds out what happened to a message that a customer did not get, and sends it again. */
export async function diagnose(page: Page, { api, receiver, webhook }: Diagnosing): Promise<void> {
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'message.created' });
  const search = page.getByRole('searchbox', { name: 'Search deliveries' });

  await test.step('deliveries are shown as they happen, and older ones are loaded', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, count) => await writeMessage(api, `Number ${count}.`)),
    );
    await receiver.received(20);
    await goTo(page, 'Webhooks');
    await page.getByRole('link', { name: webhook.name, exact: true }).click();
    await openTab(page, 'Deliveries');
    await expect(rows).toHaveCount(20);
    await writeMessage(api, 'It arrives.');
    await receiver.received(21);
    const busy = { status: 503, headers: { 'retry-after': '900' }, body: 'Busy, come later.' };
    receiver.respondWith(busy, { status: 204 });
    await writeMessage(api, 'A private word.');
    await expect(rows.first()).toContainText(
      /Retrying in \d+ min503\d+ ms1\d+ \w{3}, \d\d:\d\d:\d\d/,
    );
    await expect(rows.nth(1)).toContainText(
      /^\d+ \w{3}, \d\d:\d\d:\d\d.*message\.createdDelivered204\d+ ms1–/,
    );
    await expectAccessible(page, 'deliveries', page.getByRole('main'));
    await expect(rows).toHaveCount(20);
    await page.getByRole('button', { name: 'Load older' }).click();
    await expect(rows).toHaveCount(22);
    await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden();
  });

  await test.step('a delivery is found by its webhook-id and its response', async () => {
    await search.fill(`webhook-id: ${String(receiver.requests[0]?.headers['webhook-id'])}`);
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('204');
    await search.fill('503');
    await expect(rows.first()).toContainText('503');
    await expect(rows).toHaveCount(1);
    await search.fill('msg_791002fb');
    await expect(page.getByRole('heading', { name: /^Enter a whole ID/ })).toBeVisible();
  });

  // The audit log has the same filter.
  const findByTime = async () => {
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(rows).toHaveCount(22);
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Custom' }).click();
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await expect(page.getByText('Choose a time after the start.')).toBeVisible();
    await page.getByLabel('From').fill('2019-01-01T00:00');
    await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
  };
  await test.step('a delivery is found by its time', findByTime);

  await test.step('the figures count the same deliveries, and link to them', async () => {
    await openTab(page, 'Overview');
    const health = page.getByRole('region', { name: 'Health' });
    await expect(health.getByRole('link', { name: 'Delivered 21', exact: true })).toBeVisible();
    await health.getByRole('link', { name: 'Retried 1', exact: true }).click();
    await expect(rows).toHaveCount(1);
  });

  await test.step('the refused delivery opens on the response, without what customers wrote, and is sent again', async () => {
    const drawer = await openDelivery(page, rows.first());
    await expect(drawer.getByText('Your server responded with 503.')).toBeVisible();
    const response = drawer.getByRole('region', { name: 'Response 503' });
    await expect(response).not.toContainText('retry-after');
    await expect(drawer.getByText(/Ask an owner to show it\.$/)).toBeVisible();
    await drawer.getByText('Request', { exact: true }).click();
    await expect(drawer.getByRole('region', { name: /^POST/ })).toContainText('webhook-id: ');
    await expect(drawer.getByText(/^The body is not shown: your role/)).toBeVisible();
    await expect(drawer).not.toContainText('A private word.');
    await expect(drawer.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
    await drawer.getByRole('button', { name: 'Retry delivery' }).click();
    expect(textOf(await receiver.received(23))).toBe('A private word.');
    await expect(drawer).toHaveAccessibleName('message.created Delivered after 2 attempts');
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(deliveryDrawer(page)).toBeHidden();
  });
}

/** Sends again what a webhook missed while it was paused. */
export async function replay(page: Page, { api, receiver, webhook }: Diagnosing): Promise<void> {
  const before = receiver.requests.length;
  const since = new Date();
  await writeMessage(api, 'It arrived.');
  const arrived = await receiver.received(before + 1);
  await setActive(api, webhook, false);
  await writeMessage(api, 'Missed, one.');
  await writeMessage(api, 'Missed, two.');
  await setActive(api, webhook, true);
  const question = page.getByRole('dialog', { name: `Replay events to ${webhook.name}` });
  const heading = page.getByRole('heading', { name: 'Deliveries', exact: true });

  const uuid =
    await test.step('what a paused webhook missed is counted and sent again', async () => {
      await openReplay(page, webhook);
      await chooseSince(question, since);
      await expect(question.getByText('2 events would be sent again.')).toBeVisible();
      expect(receiver.requests).toHaveLength(before + 1);
      await question.getByRole('button', { name: 'Replay 2 events' }).click();
      await expect(question).toBeHidden();
      await expect(replayButton(page)).toBeFocused();
      const followed = await followedReplay(page);
      await receiver.received(before + 3);
      const sent = receiver.requests.slice(before + 1);
      expect(sent.map(textOf).toSorted()).toEqual(['Missed, one.', 'Missed, two.']);
      expect(sent.map(({ headers }) => headers['webhook-replay'])).toEqual([followed, followed]);
      return followed;
    });

  await test.step('a reload still follows the replay; once the replay has ended, nothing is cancelled', async () => {
    const done = page.getByText('2 events were sent.').last();
    await expect(done).toBeVisible();
    await page.reload();
    await expect(done).toBeVisible();
    expect(await followedReplay(page)).toBe(uuid);
    await expect.poll(async () => await statusesOf(api, webhook)).toEqual(new Set(['delivered']));
    await page.getByRole('button', { name: 'Cancel replay' }).click();
    await expect(page.getByText(/This replay is over: nothing of it waits/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel replay' })).toBeHidden();
    await expect(heading).toBeFocused();
  });

  await test.step('all events of a window are sent again, with the same webhook-ids', async () => {
    await replayButton(page).click();
    await chooseSince(question, since);
    await expect(
      question.getByText('Nothing to send in this window.', { exact: true }),
    ).toBeVisible();
    await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
    await question.getByRole('button', { name: 'Replay 3 events' }).click();
    await receiver.received(before + 6);
    const [first, all] = [
      receiver.requests.slice(before, before + 3),
      receiver.requests.slice(before + 3),
    ];
    const again = all.find((request) => textOf(request) === 'It arrived.');
    expect(again && idOf(again)).toBe(idOf(arrived));
    expect(all.map(idOf).toSorted()).toEqual(first.map(idOf).toSorted());
    expect(await followedReplay(page)).not.toBe(uuid);
  });

  await test.step('after it is dismissed, the replay is no longer on the page or in its URL', async () => {
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page).not.toHaveURL(/replay=/);
    await expect(page.getByText(/events were sent/)).toHaveCount(0);
    await expect(heading).toBeFocused();
  });
}

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

async function statusesOf(
  api: APIRequestContext,
  { uuid }: { uuid: string },
): Promise<Set<string>> {
  const response = await api.get(`/api/v1/webhooks/${uuid}/deliveries`);
  const data = await readData<{ status: string }[]>(response);
  return new Set(data.map(({ status }) => status));
}

function textOf({ body }: ReceivedRequest): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}

function idOf({ headers }: ReceivedRequest): string {
  return String(headers['webhook-id']);
}
