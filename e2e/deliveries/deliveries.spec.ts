import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import { rateLimited } from '../support/replies.ts';
import { rowOf } from '../pages/api-keys.ts';
import { deliveriesOf, deliveryDrawer, openDeliveries } from '../pages/deliveries.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';
import { beginButton, chooseSince, followedReplay, replayButton } from '../pages/replays.ts';
import { mainAct, openTab, openWebhooks, readWebhook } from '../pages/webhooks.ts';
import { writeMessage } from '../support/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

test('a webhook made in the form is delivered, signed with the very secret that was shown; what it missed while paused is delivered or skipped', async ({
  api,
  control,
  createWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name, secret } = await createWebhook({ url: `${receiver.url}/orders` });
  await writeMessage(api, 'It was due on Monday.');
  const request = await receiver.received(1);
  expect(request).toMatchObject({ method: 'POST', path: '/orders' });
  expect(receiver.verify(request, secret)).toBe(true);
  expect(receiver.verify(request, `whsec_${btoa('another secret of 32 bytes......')}`)).toBe(false);
  expect(receiver.verify({ ...request, body: `${request.body} ` }, secret)).toBe(false);
  expect(JSON.parse(request.body)).toMatchObject({
    type: 'message.created',
    data: { message: { text: 'It was due on Monday.' } },
  });
  const uuid = await uuidOf(api, name);
  await expect.poll(async () => (await readWebhook(api, uuid)).last_triggered_at).not.toBeNull();
  await openWebhooks(page);
  await expect(rowOf(page, name)).toContainText(/\d+ s ago|just now/i);
  await expect(rowOf(page, name)).toContainText('Active');

  await page.getByRole('link', { name, exact: true }).click();
  const question = page.getByRole('dialog', { name: `Resume ${name}` });
  for (const [choice, backlog, texts] of [
    ['Deliver them', 'deliver', ['After.', 'Missed, one.', 'Missed, two.']],
    ['Skip them', 'skip', ['After.']],
  ] as const) {
    const before = receiver.requests.length;
    await mainAct(page, 'Pause').click();
    await expect(page.getByText(/^Paused since \d/)).toBeVisible();
    await writeMessage(api, 'Missed, one.');
    await writeMessage(api, 'Missed, two.');
    await mainAct(page, 'Resume').click();
    await expect(question).toContainText('2 matching events');
    expect(receiver.requests).toHaveLength(before);
    await question.getByRole('radio', { name: choice }).check();
    await question.getByRole('button', { name: `Resume and ${backlog}` }).click();
    await expect(question).toBeHidden();
    await writeMessage(api, 'After.');
    // What was missed is looked for once nothing can join it any more, 5 s after it was asked for.
    await control.moveClock({ ms: 6000 });
    await receiver.received(before + texts.length);
    expect(receiver.requests.slice(before).map(textOf).toSorted()).toEqual(texts);
  }
  expect(receiver.requests.every((sent) => receiver.verify(sent, secret))).toBe(true);
});

fullTest(
  'a receiver that answers 410 is not called again; resumed, what it refused can be replayed, under the same webhook-id',
  async ({ api, givenWebhook, receiver, signedIn: page }) => {
    const webhook = await givenWebhook({
      url: `${receiver.url}/gone`,
      isActive: true,
      hasSecret: true,
    });
    const since = new Date();
    receiver.answer({ status: 410 }, { status: 204 });
    await writeMessage(api, 'The first.');
    const refused = await receiver.received(1);
    expect(refused.headers['webhook-replay']).toBeUndefined();
    await expect
      .poll(async () => (await readWebhook(api, webhook.uuid)).status)
      .toBe('deactivated');
    await openWebhooks(page);
    await expect(rowOf(page, webhook.name)).toContainText('Deactivated');
    await page.getByRole('link', { name: webhook.name, exact: true }).click();
    await expect(page.getByText('Its server answered 410 Gone.')).toBeVisible();
    await openTab(page, 'Deliveries');
    await expect(replayButton(page)).toHaveAccessibleDescription(/Resume it first/);
    const until = new Date();
    await givenWebhook({ url: `${receiver.url}/other`, isActive: true, hasSecret: true });
    await writeMessage(api, 'The second.');
    await receiver.received(2);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/gone', '/other']);

    await mainAct(page, 'Resume').click();
    const resume = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
    await resume.getByRole('radio', { name: 'Skip them' }).check();
    await resume.getByRole('button', { name: 'Resume and skip' }).click();
    await expect(mainAct(page, 'Pause')).toBeFocused();
    await replayButton(page).click();
    const question = page.getByRole('dialog', { name: `Replay a window to ${webhook.name}` });
    await chooseSince(question, since);
    await question.getByLabel('Until').fill(until.toISOString().slice(0, 23));
    await expect(beginButton(question)).toHaveText('Replay 1 event');
    await beginButton(question).click();
    const { headers, path } = await receiver.received(3);
    expect(path).toBe('/gone');
    expect(headers['webhook-id']).toBe(refused.headers['webhook-id']);
    expect(headers['webhook-replay']).toBe(await followedReplay(page));
  },
);

test('a webhook’s page shows its deliveries as they happen, and loads older ones', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openDeliveries(page, webhook);
  await expect(page.getByText('No deliveries yet')).toBeVisible();
  await writeMessage(api, 'The first.');
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'message.created' });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(
    /^\d+ \w{3}, \d\d:\d\d:\d\d.*message\.createdDelivered204\d+ ms1–/,
  );

  receiver.answer({ status: 503, headers: { 'retry-after': '900' } }, { status: 204 });
  await writeMessage(api, 'Refused.');
  await expect(rows.first()).toContainText(
    /Retrying in \d+ min503\d+ ms1\d+ \w{3}, \d\d:\d\d:\d\d/,
  );
  await expectAccessible(page, 'deliveries', page.getByRole('main'));
  await Promise.all(
    Array.from({ length: 20 }, async (_, count) => await writeMessage(api, `Number ${count}.`)),
  );
  await receiver.received(22);
  await expect(rows).toHaveCount(20);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(rows).toHaveCount(22);
  await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden();
  const search = page.getByRole('searchbox', { name: 'Search deliveries' });
  await search.fill('503');
  await expect(rows).toHaveCount(1);
  await search.fill(`webhook-id: ${String(receiver.requests[0]?.headers['webhook-id'])}`);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('204');
  await search.fill('msg_791002fb');
  await expect(page.getByRole('heading', { name: 'Not an ID or a status code' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows).toHaveCount(22);

  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Custom' }).click();
  await page.getByLabel('Until').fill('2020-01-01T00:00');
  await expect(page.getByText('Choose a time after the start.')).toBeVisible();
  await page.getByLabel('From').fill('2019-01-01T00:00');
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();

  // The figures are those of the same deliveries.
  await openTab(page, 'Overview');
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByRole('link', { name: 'Delivered 21', exact: true })).toBeVisible();
  await expect(health.getByRole('link', { name: 'Retried 1', exact: true })).toBeVisible();
});

test('a test of a chosen type, with data of one’s own, is sent from a webhook’s page, which shows what became of it; its delivery can be sent again', async ({
  api,
  between,
  givenWebhook,
  guard,
  receiver,
  signedIn: page,
}) => {
  guard.allow(/status of 422/);
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openDeliveries(page, webhook);
  const send = page.getByRole('button', { name: 'Send test', exact: true });
  await send.click();
  const dialog = page.getByRole('dialog', { name: `Send a test to ${webhook.name}` });
  const data = dialog.getByRole('textbox', { name: 'Data' });
  await expect(data).toHaveValue(/"message": "This is a test\./);
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await expect(dialog.getByRole('status', { name: 'Result of the test' })).toContainText(
    /^DeliveredYour server answered 204\. It took \d+ ms, at \d\d:\d\d:\d\d\.$/,
  );
  expect(JSON.parse((await receiver.received(1)).body)).toMatchObject({ type: 'webhook.test' });

  // What is no JSON, and what the type does not allow, is said at the field.
  await dialog.getByRole('combobox', { name: 'Event type' }).click();
  await page.getByRole('option', { name: 'conversation.closed' }).click();
  await expect(data).toHaveValue(/^\{\n {2}"conversation": \{/);
  const sample = await data.inputValue();
  const sendAgain = dialog.getByRole('button', { name: 'Send another test' });
  for (const [text, words] of [
    ['{ "conversation": ', /^This is not valid JSON/],
    ['{ "conversation": {} }', /conversation\.id: This field is required\./],
  ] as const) {
    await data.fill(text);
    await sendAgain.click();
    await expect(data).toHaveAccessibleDescription(words);
    await expect(data).toBeFocused();
  }
  await expectAccessible(page, 'send a test, with an error', dialog);
  await data.fill(sample.replace(/"subject": "[^"]*"/, '"subject": "One of mine"'));
  receiver.answer({ status: 500 });
  await sendAgain.click();
  await expect(dialog.getByRole('status', { name: 'Result of the test' })).toContainText(
    /^Not deliveredYour server answered 500\. It took/,
  );
  expect(JSON.parse((await receiver.received(2)).body)).toMatchObject({
    type: 'conversation.closed',
    data: { conversation: { subject: 'One of mine' } },
  });
  await expectVariantAccessible(page, 'what became of a test', dialog);
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ failure_count: 0 });

  await dialog.getByRole('link', { name: 'Open delivery' }).click();
  await expect(dialog).toBeHidden();
  const rows = deliveriesOf(page, webhook).getByRole('row', { includeHidden: true });
  const drawer = deliveryDrawer(page);
  await expect(drawer.getByText('Not delivered')).toBeVisible();
  await expect(drawer.getByRole('region', { name: /^Answer 500/ })).toBeVisible();
  between.answer('POST', /\/retry$/, () => rateLimited(2));
  await drawer.getByRole('button', { name: 'Retry delivery' }).click();
  await expect(drawer.getByText(/^Too many requests\. Try again in 0:0\d$/)).toBeVisible();
  between.reset();
  await expect(drawer.getByText('It is not sent again', { exact: true })).toBeVisible();
  receiver.answer({ status: 204 });
  await drawer.getByRole('button', { name: 'Try again' }).click();
  await expect(drawer.getByText(/^It (is|was) sent again/)).toBeVisible();
  await expect(drawer).toHaveAccessibleName('webhook.test Delivered after 2 attempts');
  const attempts = drawer.getByRole('button', { name: /^Attempt \d/ });
  await expect(attempts).toHaveText(['Attempt 1: 500', 'Attempt 2: 204']);
  await expect(drawer.getByRole('button', { name: 'Send again' })).toBeVisible();
  await attempts.first().click();
  await expect(drawer.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(rows.filter({ hasText: 'webhook.test' })).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Delivered after 2 attempts');
  const [, second, third] = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(third).toBe(second);

  await mainAct(page, 'Pause').click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expect(send).toHaveAccessibleDescription(/Resume it first/);
});

function textOf({ body }: { body: string }): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}

async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const { data } = (await (await api.get('/api/v1/webhooks')).json()) as {
    data: { uuid: string; name: string }[];
  };
  return data.find((webhook) => webhook.name === name)?.uuid ?? 'none';
}
