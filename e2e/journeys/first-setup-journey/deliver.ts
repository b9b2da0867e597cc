import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  deliveriesOf,
  deliveryDrawer,
  expectAccessible,
  goTo,
  mainAct,
  openDelivery,
  openTab,
  readWebhook,
  rowOf,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { Control, ReceivedRequest, Receiver } from 'conversation-service-playwright-kit';
import { expectPressedByItself } from '../../pages/expect-pressed-by-itself.ts';
import { test } from '../../fixtures.ts';
import type { ApiProxy } from '../../helpers/servers/api-proxy.ts';
import { rateLimited } from '../../helpers/error-responses.ts';
import type { SignedWebhook } from './create-webhooks.ts';

type Delivering = {
  api: APIRequestContext;
  apiProxy: ApiProxy;
  control: Control;
  receiver: Receiver;
  webhook: SignedWebhook;
};

/** Sends tests from a webhook's deliveries; the last test fails. */
export async function sendTests(page: Page, day: Delivering): Promise<void> {
  const { api, receiver, webhook } = day;
  const dialog = page.getByRole('dialog', { name: `Send a test to ${webhook.name}` });
  const data = dialog.getByRole('textbox', { name: 'Data' });
  const result = dialog.getByRole('status', { name: 'Result of the test' });
  const rows = page.getByRole('row', { includeHidden: true }).filter({ hasText: 'webhook.test' });
  const openDialog = page.getByRole('button', { name: 'Send test', exact: true });
  const sendTest = dialog.getByRole('button', { name: /^Send (another )?test$/ });

  await test.step('a test is sent, and the dialog shows the response of the server', async () => {
    await openTab(page, 'Deliveries');
    await expect(page.getByText('No deliveries yet')).toBeVisible();
    await expect(page.getByText('To send one now, press Send test.')).toBeVisible();
    await openDialog.click();
    await expect(data).toHaveValue(/"message": "This is a test\./);
    await sendTest.click();
    await expect(result).toContainText(
      /^DeliveredThe receiver responded with 204\. It took \d+ ms, at \d\d:\d\d:\d\d\.$/,
    );
    const sent = await receiver.received(1);
    expect(JSON.parse(sent.body)).toMatchObject({ type: 'webhook.test', test: true });
    expect(sent.headers['webhook-id']).toMatch(/^msg_test_/);
    expect(receiver.verify(sent, webhook.secret)).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
  });

  await test.step('data that is not JSON, or that the type does not allow, is refused at its field', async () => {
    await page.getByRole('search', { name: 'Deliveries' }).getByText('Delivered').click();
    await expect(rows).toHaveCount(1);
    await openDialog.click();
    await dialog.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'conversation.closed' }).click();
    await expect(data).toHaveValue(/^\{\n {2}"conversation": \{/);
    await expect(dialog.getByText('Your server may treat this as a real event.')).toBeVisible();
    const sample = await data.inputValue();
    for (const [text, words] of [
      ['{ "conversation": ', /^This is not valid JSON/],
      ['{ "conversation": {} }', /conversation\.id: This field is required\./],
    ] as const) {
      await data.fill(text);
      await sendTest.click();
      await expect(data).toHaveAccessibleDescription(words);
      await expect(data).toBeFocused();
    }
    await expectAccessible(page, 'send a test, with an error', dialog);
    await data.fill(sample.replace(/"subject": "[^"]*"/, '"subject": "One of mine"'));
  });

  await test.step('a test with custom data arrives unchanged, and does not count as a failure', async () => {
    receiver.respondWith({ status: 500 }, { status: 204 });
    await sendTest.click();
    await expect(result).toContainText(/^Not deliveredThe receiver responded with 500\. It took/);
    expect(JSON.parse((await receiver.received(2)).body)).toMatchObject({
      type: 'conversation.closed',
      test: true,
      data: { conversation: { subject: 'One of mine' } },
    });
    await expect(rows, 'the filter leaves it out').toHaveCount(1);
    expect(await readWebhook(api, webhook.uuid)).toMatchObject({ failure_count: 0 });
  });

  await test.step('Open delivery leads from there to the response of the server', async () => {
    await dialog.getByRole('link', { name: 'Open delivery' }).click();
    await expect(dialog).toBeHidden();
    const drawer = deliveryDrawer(page);
    await expect(drawer.getByText('Not delivered')).toBeVisible();
    await expect(drawer.getByRole('region', { name: /^Response 500/ })).toBeVisible();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(drawer).toBeHidden();
    await expect(rows).toHaveCount(2);
  });
}

/** Publishes two messages, the second of which the server refuses, and returns the requests. */
export async function publishMessages(
  page: Page,
  { api, receiver, webhook }: Delivering,
): Promise<ReceivedRequest> {
  await test.step('a message arrives, signed with the secret that was shown', async () => {
    await writeMessage(api, 'It was due on Monday.');
    const request = await receiver.received(3);
    expect(request).toMatchObject({ method: 'POST', path: '/orders?from=us' });
    expect(receiver.verify(request, webhook.secret)).toBe(true);
    const another = `whsec_${btoa('another secret of 32 bytes......')}`;
    expect(receiver.verify(request, another)).toBe(false);
    expect(receiver.verify({ ...request, body: `${request.body} ` }, webhook.secret)).toBe(false);
    expect(JSON.parse(request.body)).toMatchObject({
      type: 'message.created',
      data: { message: { text: 'It was due on Monday.' } },
    });
    await expect
      .poll(async () => (await readWebhook(api, webhook.uuid)).last_triggered_at)
      .not.toBeNull();
    await goTo(page, 'Webhooks');
    await expect(rowOf(page, webhook.name)).toContainText(/\d+ s ago|just now/i);
    await expect(rowOf(page, webhook.name)).toContainText('Active');
  });

  const busy = { status: 503, headers: { 'retry-after': '900' }, body: 'Busy, come later.' };
  receiver.respondWith(busy, { status: 204 });
  await writeMessage(api, 'It’s "late".');
  return await receiver.received(4);
}

/** Reads a refused delivery in its drawer, and sends it again; `request` is the refused request. */
export async function readDelivery(
  page: Page,
  { apiProxy, receiver, webhook }: Delivering,
  request: ReceivedRequest,
): Promise<void> {
  const drawer = deliveryDrawer(page);

  await test.step('a refused delivery opens on the response of the server, with the exact request', async () => {
    await page.getByRole('link', { name: webhook.name, exact: true }).click();
    await openTab(page, 'Deliveries');
    await expect(page).toHaveTitle(new RegExp(`^Deliveries of ${webhook.name} · `));
    const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '503' });
    await expect(
      row.getByRole('button', { name: /^\d+ \w{3}, \d\d:\d\d:\d\d ?: message\.created, / }),
    ).toBeVisible();
    await expectPressedByItself(row);
    await openDelivery(page, row);
    await expect(drawer).toHaveAccessibleName(/message\.created Retrying in \d+/);
    await expect(drawer.getByText(/^Next attempt in 1[45] min$/)).toBeVisible();
    await expect(drawer.getByText('The receiver responded with 503.')).toBeVisible();
    const messageId = String(request.headers['webhook-id']);
    await expect(drawer.getByText(messageId, { exact: true })).toBeVisible();
    const attempt = drawer.getByRole('row').filter({ hasText: 'Attempt 1: 503' });
    await expectPressedByItself(attempt);
    await expect(attempt.getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await expect(drawer.getByText('First byte of the response')).toBeVisible();
    await expect(drawer.getByRole('region', { name: /^Response 503/ })).toContainText(
      /retry-after: 900[^]*Busy, come later\./,
    );
    await drawer.getByText('Request', { exact: true }).click();
    const sent = drawer.getByRole('region', { name: /^POST/ });
    await expect(sent).toContainText(
      `webhook-signature: ${String(request.headers['webhook-signature'])}`,
    );
    await expect(sent).toContainText('"text": "It’s \\"late\\"."');
    await expectAccessible(page, 'a delivery', drawer);
  });

  await test.step('the request can be copied as text and as a command', async () => {
    await drawer.getByRole('button', { name: 'Copy request' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`\n\n${request.body}`);
    await drawer.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(drawer.getByRole('button', { name: 'Copied' })).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`]);
    expect(shown.toString()).toContain(`${receiver.url}/orders?from=us\n`);
    expect(shown.toString()).toContain(`--data-binary\n${request.body}\n`);
  });

  await test.step('a retry that the rate limit refuses counts down; then the delivery is sent again, with the same webhook-id', async () => {
    apiProxy.respondTo('POST', /\/retry$/, () => rateLimited(1));
    await drawer.getByRole('button', { name: 'Retry delivery' }).click();
    await expect(drawer.getByText(/^Too many requests\. Try again in 0:0\d$/)).toBeVisible();
    apiProxy.reset();
    await expect(drawer.getByText('The delivery was not resent', { exact: true })).toBeVisible();
    await drawer.getByRole('button', { name: 'Try again' }).click();
    await expect(
      drawer.getByText(/^(Resending the delivery|The delivery was resent)\./),
    ).toBeVisible();
    await expect(drawer).toHaveAccessibleName('message.created Delivered after 2 attempts');
    const attempts = drawer.getByRole('button', { name: /^Attempt \d/ });
    await expect(attempts).toHaveText(['Attempt 1: 503', 'Attempt 2: 204']);
    await expect(drawer.getByRole('button', { name: 'Send again' })).toBeVisible();
    await attempts.first().click();
    await expect(drawer.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await drawer.getByRole('button', { name: 'Close' }).click();
    // If it is opened again while it closes, it still shows what was chosen here.
    await expect(drawer).toBeHidden();
    const { headers } = await receiver.received(5);
    expect(headers['webhook-id']).toBe(request.headers['webhook-id']);
    const first = deliveriesOf(page, webhook).getByRole('row', { includeHidden: true }).nth(1);
    await expect(first).toContainText('Delivered after 2 attempts');
  });
}

const openDeliveryUrl = /\/deliveries\?delivery=[0-9a-f-]{36}$/;

/** Goes from one delivery to the next, and filters them: there are two messages and two tests. */
export async function findDeliveries(page: Page, { apiProxy, webhook }: Delivering): Promise<void> {
  const drawer = deliveryDrawer(page);
  const table = deliveriesOf(page, webhook);
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') });
  const openerOf = (place: number) => rows.nth(place).getByRole('rowheader').getByRole('button');

  await test.step('arrows lead to the next delivery, the URL leads to the same one, and Escape and Back close it', async () => {
    await expect(rows).toHaveCount(4);
    await openerOf(0).press('Enter');
    await expect(drawer.getByText('"text": "It’s \\"late\\"."')).toBeVisible();
    const newer = drawer.getByRole('button', { name: 'Newer delivery' });
    await expect(newer).toHaveAttribute('aria-disabled', 'true');
    await expect(page).toHaveURL(openDeliveryUrl);
    const newest = page.url();
    await drawer.getByRole('button', { name: 'Older delivery' }).click();
    const first = drawer.getByText('"text": "It was due on Monday."');
    await expect(first).toBeVisible();
    // The URL changes a moment after the content.
    await expect(page).not.toHaveURL(newest);
    await expect(page).toHaveURL(openDeliveryUrl);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(openerOf(1)).toBeFocused();
    await expect(page).not.toHaveURL(/delivery=/);

    await openerOf(0).click();
    await expect(drawer.getByText('"text": "It’s \\"late\\"."')).toBeVisible();
    await expect(page).toHaveURL(newest);
    // The page beside the drawer can still be used with a pointer.
    await page
      .getByRole('rowheader', { includeHidden: true })
      .nth(1)
      .getByRole('button', { includeHidden: true })
      .click({ position: { x: 5, y: 5 } });
    await expect(first).toBeVisible();
    // It takes the place of the other in the history.
    await expect(page).not.toHaveURL(newest);
    await expect(page).toHaveURL(openDeliveryUrl);
    await page.goBack();
    await expect(drawer).toBeHidden();
  });

  await test.step('while a filter is being applied, the previous rows stay', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    apiProxy.respondTo('GET', /\/deliveries\?.*status=failed/, async ({ pass }) => {
      await isReleased;
      return await pass();
    });
    await page.getByRole('search', { name: 'Deliveries' }).getByText('Failed').click();
    await expect(table).toHaveAttribute('aria-busy', 'true');
    await expect(rows).toHaveCount(4);
    release();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('webhook.test');
    apiProxy.reset();
  });

  await test.step('filters show matching deliveries, survive a reload, and can be cleared from an empty result', async () => {
    const filters = page.getByRole('search', { name: 'Deliveries' });
    await filters.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await expect(rows).toHaveCount(1);
    await page.reload();
    await expect(rows).toContainText('webhook.test');
    await expect(rows).toHaveCount(1);
    await expect(filters.getByRole('radio', { name: 'Failed' })).toBeChecked();
    await filters.getByText('Cancelled').click();
    await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
    await filters.getByText('Retried').click();
    await expect(rows).toContainText('Delivered after 2 attempts');
    await expect(rows).toHaveCount(1);
    await filters.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'conversation.closed' }).click();
    await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(rows).toHaveCount(4);
  });
}

/** Pauses and resumes the webhook whose page is open. */
export async function pauseAndResume(page: Page, day: Delivering): Promise<void> {
  const { api, control, receiver, webhook } = day;
  await test.step('what a webhook missed while paused is delivered or skipped', async () => {
    await openTab(page, 'Overview');
    const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
    const choices = [
      ['Deliver them', 'deliver', ['After.', 'Missed, one.', 'Missed, two.']],
      ['Skip them', 'skip', ['After.']],
    ] as const;
    for (const [choice, backlog, texts] of choices) {
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
      // Missed events are looked up 5 s after the request, when no further event can belong to
      // them.
      await control.moveClock({ ms: 6000 });
      await receiver.received(before + texts.length);
      expect(receiver.requests.slice(before).map(textOf).toSorted()).toEqual(texts);
    }
    expect(receiver.requests.every((sent) => receiver.verify(sent, webhook.secret))).toBe(true);
  });
}

function textOf({ body }: ReceivedRequest): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}
