import { execFileSync } from 'node:child_process';

import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { rateLimited } from './replies.ts';
import { addMember, pageOf } from './pages/members.ts';
import { deliveriesOf, deliveryDrawer, openDelivery } from './pages/deliveries.ts';
import { expectAccessible } from './pages/every-look.ts';
import { openWebhook } from './pages/webhooks.ts';
import { writeMessage } from './write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

test('a delivery shows each attempt, to the letter what was sent and what came back', async ({
  api,
  context,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const url = `${receiver.url}/orders?from=us`;
  const webhook = await givenWebhook({ url, isActive: true, hasSecret: true });
  receiver.answer({ status: 503, headers: { 'retry-after': '900' }, body: 'Busy, come later.' });
  await writeMessage(api, 'It’s "late".');
  const request = await receiver.received(1);
  await openWebhook(page, webhook);
  const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '503' });
  const drawer = await openDelivery(page, row);

  await expect(drawer).toHaveAccessibleName(/message\.created Next in \d+/);
  await expect(drawer.getByText(/^Tried again in 1[45] min$/)).toBeVisible();
  await expect(drawer.getByText('Your server answered 503.')).toBeVisible();
  await expect(
    drawer.getByText(String(request.headers['webhook-id']), { exact: true }),
  ).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Attempt 1: 503' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(drawer.getByText('First byte of the answer')).toBeVisible();

  const sent = drawer.getByRole('region', { name: /^POST/ });
  await expect(sent).toContainText(
    `webhook-signature: ${String(request.headers['webhook-signature'])}`,
  );
  await expect(sent).toContainText('"text": "It’s \\"late\\"."');
  await expectAccessible(page, 'a delivery');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await drawer.getByRole('button', { name: 'Copy request' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`\n\n${request.body}`);
  await drawer.getByText('Response', { exact: true }).click();
  await expect(drawer.getByRole('region', { name: /^Answer 503/ })).toContainText(
    /retry-after: 900[^]*Busy, come later\./,
  );

  await drawer.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(drawer.getByRole('button', { name: 'Copied' })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`]);
  expect(shown.toString()).toContain(`${receiver.url}/orders?from=us\n`);
  expect(shown.toString()).toContain(`--data-binary\n${request.body}\n`);
});

test('a delivery that failed is sent again, and tells what came of it', async ({
  between,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  receiver.answer({ status: 500 });
  await page.getByRole('button', { name: 'Send test' }).click();
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'webhook.test' });
  await expect(rows).toContainText('Failed');
  const drawer = await openDelivery(page, rows);
  await expect(drawer.getByText('Not delivered')).toBeVisible();

  const retry = drawer.getByRole('button', { name: 'Retry delivery' });
  between.answer('POST', /\/retry$/, () => rateLimited(2));
  await retry.click();
  await expect(drawer.getByText(/^Too many requests\. Try again in 0:0\d$/)).toBeVisible();
  between.reset();
  await expect(drawer.getByText('It is not sent again', { exact: true })).toBeVisible();
  receiver.answer({ status: 204 });
  await drawer.getByRole('button', { name: 'Try again' }).click();
  await expect(drawer.getByText(/^It (is|was) sent again/)).toBeVisible();
  await expect(drawer).toHaveAccessibleName('webhook.test Delivered');
  await expect(drawer.getByRole('button', { name: /^Attempt \d/ })).toHaveText([
    'Attempt 1: 500',
    'Attempt 2: 204',
  ]);
  await expect(drawer.getByRole('button', { name: 'Send again' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Attempt 1: 500' }).click();
  await expect(drawer.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(rows).toContainText('Delivered');
  const [first, second] = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
});

test('the address leads to a delivery, arrows to the next, Escape and Back away from it', async ({
  api,
  givenWebhook,
  guard,
  receiver,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  for (const text of ['The first.', 'The second.']) await writeMessage(api, text);
  await receiver.received(2);
  await openWebhook(page, webhook);
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'message.created' });
  await expect(rows).toHaveCount(2);
  const opener = rows.first().getByRole('rowheader').getByRole('button');
  await opener.press('Enter');
  const drawer = deliveryDrawer(page);
  await expect(drawer.getByText('"text": "The second."')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Newer delivery' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await drawer.getByRole('button', { name: 'Older delivery' }).click();
  await expect(drawer.getByText('"text": "The first."')).toBeVisible();
  await expect(page).toHaveURL(/\?delivery=[0-9a-f-]{36}$/);

  await page.reload();
  await expect(drawer.getByText('"text": "The first."')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(rows.last().getByRole('rowheader').getByRole('button')).toBeFocused();
  await expect(page).not.toHaveURL(/delivery=/);

  await opener.click();
  await expect(drawer.getByText('"text": "The second."')).toBeVisible();
  // What stands beside it goes on working, for whoever points.
  await page
    .getByRole('rowheader', { includeHidden: true })
    .last()
    .getByRole('button', { includeHidden: true })
    .click({ position: { x: 5, y: 5 } });
  await expect(drawer.getByText('"text": "The first."')).toBeVisible();
  await page.goBack();
  await expect(drawer).toBeHidden();

  await page.goto(`settings/webhooks/${webhook.uuid}?delivery=${crypto.randomUUID()}`);
  await expect(page.getByRole('dialog').getByText('The delivery could not be read')).toBeVisible();
});

test('filters show what was asked for, outlive a reload, and lead back from nothing', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Delivered.');
  await receiver.received(1);
  receiver.answer({ status: 500 });
  await openWebhook(page, webhook);
  await page.getByRole('button', { name: 'Send test' }).click();
  const rows = deliveriesOf(page, webhook)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(2);

  const filters = page.getByRole('search', { name: 'Deliveries' });
  await filters.getByText('Failed').click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('webhook.test');
  await filters.getByText('Delivered').click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('message.created');
  // What a test came to is told though the rows don't show it.
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.received(3);
  await expect(page.getByText(/^The test was not delivered\./)).toBeVisible();
  await expect(rows).toHaveCount(1);
  await filters.getByRole('combobox', { name: 'Since' }).click();
  await page.getByRole('option', { name: '1 hour ago' }).click();
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(filters.getByRole('radio', { name: 'Delivered' })).toBeChecked();
  await filters.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'conversation.closed' }).click();
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
  await expectAccessible(page, 'filters that let nothing through');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows).toHaveCount(3);
});

test('while a filter is on its way the rows before it stay, true to when they were read', async ({
  api,
  between,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  receiver.answer({ status: 503, headers: { 'retry-after': '900' } });
  await writeMessage(api, 'It waits.');
  await receiver.received(1);
  await openWebhook(page, webhook);
  const table = deliveriesOf(page, webhook);
  await expect(table).toContainText(/Next in 1[45] min/);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  between.answer('GET', /\/deliveries\?.*status=failed/, async ({ pass }) => {
    await isReleased;
    return await pass();
  });
  await page.getByRole('search', { name: 'Deliveries' }).getByText('Failed').click();
  await expect(table).toHaveAttribute('aria-busy', 'true');
  await expect(table).toContainText(/Next in 1[45] min/);
  release();
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
});

test.describe('members with less rights', () => {
  test('support sends again without reading what customers wrote, a viewer only looks', async ({
    api,
    browser,
    givenWebhook,
    receiver,
    service,
  }) => {
    const people = [];
    for (const role of ['support', 'viewer'] as const) {
      people.push(await addMember(service, { name: role, role }));
    }
    const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
    await writeMessage(api, 'A private word.');
    await receiver.received(1);
    for (const [index, person] of people.entries()) {
      const page = await pageOf(browser, service, person);
      await openWebhook(page, webhook);
      const drawer = await openDelivery(
        page,
        deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '204' }),
      );
      await expect(drawer.getByText(/^The body is not shown: your role/)).toBeVisible();
      await expect(drawer).not.toContainText('A private word.');
      await expect(drawer.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
      await expect(drawer.getByRole('button', { name: 'Send again' })).toHaveCount(
        index === 0 ? 1 : 0,
      );
      await page.context().close();
    }
  });
});
