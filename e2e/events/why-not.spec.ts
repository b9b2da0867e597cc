import { expect } from '@playwright/test';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import {
  expectAccessible,
  readData,
  readWebhook,
  setActive,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

test.describe.configure({ timeout: 120_000 });

type ListedEvent = {
  id: number;
  uuid: string;
  type: string;
  data: { conversation: { uuid: string }; message: { uuid: string } };
};

test('Events shows the outcome of an event at each webhook, and sends it to those that missed it', async ({
  api,
  browser,
  receiver,
  service,
  signedIn: page,
}) => {
  const create = async (name: string, events: string[]) => {
    const data = { name, url: `${receiver.url}/hook`, events };
    return (await readData<{ uuid: string }>(await api.post('/api/v1/webhooks', { data }))).uuid;
  };
  receiver.respondWith({ status: 410, body: 'We moved.' }, { status: 204 });
  const gone = await create('Gone', ['message.created']);
  await writeMessage(api, 'The first message');
  await receiver.received(1);
  await expect.poll(async () => (await readWebhook(api, gone)).status).toBe('deactivated');
  await create('Orders', ['message.created']);
  const returns = await create('Returns', ['conversation.closed']);
  const staging = await create('Staging', ['message.created']);
  await setActive(api, { uuid: staging }, false);
  await writeMessage(api, 'The second message');
  await receiver.received(2);
  await setActive(api, { uuid: staging }, true);
  const [second, first] = await messagesOf(api);
  if (!second || !first) throw new Error('the messages were not recorded');

  await page.goto('settings/events');
  await expect(page.getByRole('link', { name: 'Events' })).toHaveAttribute('aria-current', 'page');
  const outcomes = page.getByRole('img', { name: /^Gone: deactivated, Orders: delivered/ });
  await expect(outcomes).toHaveAccessibleName(
    'Gone: deactivated, Orders: delivered, Returns: not subscribed, Staging: paused',
  );
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  await expectAccessible(page, 'events');

  await test.step('a failed delivery says what the receiver said', async () => {
    const drawer = await openEvent(page, `msg_${first.uuid}`);
    const failed = outcomeOf(drawer, 'Gone');
    await expect(failed).toContainText('The receiver responded with 410.');
    await expect(failed).toContainText('“We moved.”');
    await expect(failed.getByRole('link', { name: 'Open webhook' })).toBeVisible();
    await expect(outcomeOf(drawer, 'Staging')).toContainText('Created later');
    await drawer.getByRole('button', { name: 'Close' }).click();
  });

  const drawer = await openEvent(page, second.uuid);
  await test.step('each webhook has its reason, and the payload is shown as it was signed', async () => {
    await expect(drawer.getByText('1 of 4 webhooks has it')).toBeVisible();
    await expect(drawer.getByText('3 will not get it unless you act.')).toBeVisible();
    await expect(outcomeOf(drawer, 'Orders')).toContainText(/Delivered on .*, 204 in \d+ ms\./);
    await expect(outcomeOf(drawer, 'Gone')).toContainText('Deactivated since');
    await expect(outcomeOf(drawer, 'Returns')).toContainText('Not subscribed to message.created.');
    await expect(outcomeOf(drawer, 'Staging')).toContainText(/Paused then, from .* until .*/);
    await expect(drawer.getByText('A call with')).toBeVisible();
    await expect(drawer.getByRole('region', { name: /^Payload, \d+ bytes/ })).toContainText(
      'The second message',
    );
    await expectAccessible(page, 'an event', drawer);
  });

  await test.step('a webhook that was paused then gets it now', async () => {
    await drawer.getByRole('button', { name: 'Send now to Staging' }).click();
    await receiver.received(3);
    await expect(outcomeOf(drawer, 'Staging')).toContainText('Delivered');
  });

  await test.step('a webhook without a subscription is subscribed, and gets it', async () => {
    await drawer.getByRole('button', { name: 'Subscribe and send to Returns' }).click();
    const sent = await receiver.received(4);
    expect(sent.headers['webhook-id']).toBe(`msg_${second.uuid}`);
    await expect(outcomeOf(drawer, 'Returns')).toContainText('Delivered');
    await expect(drawer.getByText('3 of 4 webhooks have it')).toBeVisible();
    const read = await api.get(`/api/v1/webhooks/${returns}`);
    expect(await readData<{ events: string[] }>(read)).toMatchObject({
      events: ['conversation.closed', 'message.created'],
    });
  });

  await test.step('Send to… sends an earlier event to all that missed it', async () => {
    await drawer.getByRole('button', { name: 'Close' }).click();
    const earlier = await openEvent(page, first.uuid);
    await earlier.getByRole('button', { name: 'Send to…' }).click();
    await page.getByRole('menuitem', { name: 'All 3 that missed it' }).click();
    await receiver.received(7);
    await expect(earlier.getByText('3 of 4 webhooks have it')).toBeVisible();
    await earlier.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('every kind of id finds the event, whatever the filters are', async () => {
    const [delivery] = await readData<{ uuid: string }[]>(
      await api.get(`/api/v1/webhooks/${staging}/deliveries?about=${second.uuid}`),
    );
    await page.goto('settings/events?outcome=cancelled');
    await expect(page.getByText('No matching events')).toBeVisible();
    const { message, conversation } = second.data;
    for (const id of [`msg_${second.uuid}`, second.uuid, message.uuid, delivery?.uuid ?? '']) {
      await search(page, id);
      await expect(eventButtons(page)).toHaveCount(1);
      await expect(eventButtons(page)).toHaveAccessibleName(/message\.created/);
      await expect(page.getByRole('combobox', { name: /^Outcome/ })).toBeHidden();
    }
    await search(page, conversation.uuid);
    await expect(eventButtons(page)).toHaveCount(2);
    await search(page, `#${second.id}`);
    await expect(eventButtons(page).first()).toBeVisible();
  });

  await test.step('what does not exist is explained by what is near', async () => {
    const mistyped = `msg_${second.uuid.slice(0, -1)}${second.uuid.endsWith('0') ? '1' : '0'}`;
    await search(page, mistyped);
    await expect(page.getByRole('heading', { name: 'No event has this webhook-id' })).toBeVisible();
    await expect(page.getByText('Events older than 30 days are gone.')).toBeVisible();
    await expectAccessible(page, 'no such event');
    await page.getByRole('button', { name: `…${second.uuid.slice(-4)}` }).click();
    await expect(page.getByRole('dialog').getByText('3 of 4 webhooks have it')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await search(page, '2001-02-03 04:05');
    await expect(page.getByRole('heading', { name: /^No event happened on/ })).toBeVisible();
    await expect(page.getByText('The event after it is')).toBeVisible();
    await search(page, 'nothing');
    await expect(page.getByRole('heading', { name: 'Enter a whole ID or a time' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(eventButtons(page).first()).toBeVisible();
  });

  await test.step('support sees no content, sends, and is told who can subscribe a webhook', async () => {
    await create('Portal', ['conversation.closed']);
    await create('Late', ['message.created']);
    const sam = await addMember(service, { name: 'sam', role: 'support' });
    const support = await pageOf(browser, service, { ...sam, address: 'settings/events' });
    await expect(support.getByRole('cell', { name: 'Content hidden' }).first()).toBeVisible();
    const seen = await openEvent(support, first.uuid);
    await expect(outcomeOf(seen, 'Gone')).not.toContainText('We moved.');
    await expect(outcomeOf(seen, 'Portal')).toContainText('Owners and admins can subscribe it.');
    await expect(outcomeOf(seen, 'Portal').getByRole('button')).toHaveCount(0);
    await expect(seen.getByText(/^Payload hidden, \d+ bytes/)).toBeVisible();
    await expectAccessible(support, 'an event without its content', seen);
    await seen.getByRole('button', { name: 'Send now to Late' }).click();
    await receiver.received(8);
    await support.context().close();
  });
});

test('of an event with more than eight webhooks, the row shows the six most urgent and how many more there are', async ({
  api,
  receiver,
  signedIn: page,
}) => {
  receiver.respondWith({ status: 500 });
  for (const digit of '123456789') {
    const data = { name: `Hook ${digit}`, url: receiver.url, events: ['message.created'] };
    expect((await api.post('/api/v1/webhooks', { data })).status()).toBe(201);
  }
  const quiet = { name: 'Quiet', url: receiver.url, events: ['conversation.closed'] };
  expect((await api.post('/api/v1/webhooks', { data: quiet })).status()).toBe(201);
  await writeMessage(api, 'Nobody can receive this.');
  await receiver.received(9);

  await page.goto('settings/events');
  const marks = page.getByRole('img', { name: /^Hook 1: retrying/ });
  await expect(marks).toHaveAccessibleName(
    `${[...'123456789'].map((digit) => `Hook ${digit}: retrying`).join(', ')}, Quiet: not subscribed`,
  );
  await expect(marks.locator('svg')).toHaveCount(6);
  await expect(marks).toHaveText('+3');
  await expect(page.getByRole('row').filter({ has: marks })).toContainText('9 retrying');
  await expectAccessible(page, 'an event with many webhooks');
});

async function messagesOf(api: APIRequestContext): Promise<ListedEvent[]> {
  return await readData<ListedEvent[]>(await api.get('/api/v1/events?type=message.created'));
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find an event' }).fill(text);
}

/** The buttons that open the listed events. */
function eventButtons(page: Page): Locator {
  return page.getByRole('table', { name: 'Events' }).getByRole('button');
}

/** Finds an event by an id, and opens it. */
async function openEvent(page: Page, id: string): Promise<Locator> {
  await search(page, id);
  await expect(eventButtons(page)).toHaveCount(1);
  await eventButtons(page).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('listitem').first()).toBeVisible();
  return drawer;
}

function outcomeOf(drawer: Locator, webhook: string): Locator {
  return drawer.getByRole('listitem').filter({ hasText: webhook });
}
