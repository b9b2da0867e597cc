import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { fullTest, isFullRun, isRemote, test } from '../fixtures.ts';
import { addMember, sessionOf } from '../pages/members.ts';
import { deliveriesOf, deliveryDrawer, openDeliveries, openDelivery } from '../pages/deliveries.ts';
import { expectPressedByItself } from '../pages/pressed-row.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';
import { replayButton } from '../pages/replays.ts';
import { figureOf, openTab } from '../pages/webhooks.ts';
import { writeMessage } from '../support/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

test('a delivery shows each attempt, to the letter what was sent and what came back; the list waits for a filter', async ({
  api,
  between,
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
  await openDeliveries(page, webhook);
  const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '503' });
  await expect(
    row.getByRole('button', { name: /^\d+ \w{3}, \d\d:\d\d:\d\d ?: message\.created, / }),
  ).toBeVisible();
  await expectPressedByItself(row);
  const drawer = await openDelivery(page, row);

  await expect(drawer).toHaveAccessibleName(/message\.created Retrying in \d+/);
  await expect(drawer.getByText(/^Tried again in 1[45] min$/)).toBeVisible();
  await expect(drawer.getByText('Your server answered 503.')).toBeVisible();
  await expect(
    drawer.getByText(String(request.headers['webhook-id']), { exact: true }),
  ).toBeVisible();
  const attempt = drawer.getByRole('row').filter({ hasText: 'Attempt 1: 503' });
  await expectPressedByItself(attempt);
  await expect(attempt.getByRole('button')).toHaveAttribute('aria-pressed', 'true');
  await expect(drawer.getByText('First byte of the answer')).toBeVisible();

  // What failed is explained by the answer, which is shown first.
  await expect(drawer.getByRole('region', { name: /^Answer 503/ })).toContainText(
    /retry-after: 900[^]*Busy, come later\./,
  );
  await drawer.getByText('Request', { exact: true }).click();
  const sent = drawer.getByRole('region', { name: /^POST/ });
  await expect(sent).toContainText(
    `webhook-signature: ${String(request.headers['webhook-signature'])}`,
  );
  await expect(sent).toContainText('"text": "It’s \\"late\\"."');
  await expectAccessible(page, 'a delivery', drawer);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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

  // While the answer to a filter is on its way, the rows before it stay.
  await drawer.getByRole('button', { name: 'Close' }).click();
  const table = deliveriesOf(page, webhook);
  await expect(table).toContainText(/Retrying in 1[45] min/);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  between.answer('GET', /\/deliveries\?.*status=failed/, async ({ pass }) => {
    await isReleased;
    return await pass();
  });
  await page.getByRole('search', { name: 'Deliveries' }).getByText('Failed').click();
  await expect(table).toHaveAttribute('aria-busy', 'true');
  await expect(table).toContainText(/Retrying in 1[45] min/);
  release();
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
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
  await openDeliveries(page, webhook);
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
  await expect(page).toHaveURL(/\/deliveries\?delivery=[0-9a-f-]{36}$/);

  // Links from before the page had tabs lead to the same.
  await page.goto(page.url().replace('/deliveries?', '?'));
  await expect(page).toHaveURL(/\/deliveries\?delivery=[0-9a-f-]{36}$/);
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

  if (!isFullRun) return;
  await page.goto(`settings/webhooks/${webhook.uuid}?delivery=${crypto.randomUUID()}`);
  await expect(page.getByRole('dialog').getByText('The delivery could not be read')).toBeVisible();
});

test('filters show what they name, outlive a reload, and lead back from nothing', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Delivered.');
  await receiver.received(1);
  receiver.answer({ status: 500 });
  await openDeliveries(page, webhook);
  const rows = deliveriesOf(page, webhook)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
  const filters = page.getByRole('search', { name: 'Deliveries' });
  await expect(rows).toContainText('Delivered');
  await filters.getByText('Delivered').click();
  // What became of a test is shown though the rows leave it out.
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: `Send a test to ${webhook.name}` });
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await expect(dialog.getByRole('status', { name: 'Result of the test' })).toContainText(
    'Not delivered',
  );
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('message.created');
  await filters.getByText('Failed').click();
  await expect(rows).toContainText('webhook.test');
  await expect(rows).toHaveCount(1);
  await filters.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Last hour' }).click();
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toContainText('webhook.test');
  await expect(rows).toHaveCount(1);
  await expect(filters.getByRole('radio', { name: 'Failed' })).toBeChecked();
  await filters.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'conversation.closed' }).click();
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
  await expectVariantAccessible(page, 'filters that let nothing through');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows).toHaveCount(2);
});

test.describe('members with less rights', () => {
  fullTest(
    'support sends again without reading what customers wrote, a viewer only looks',
    async ({ api, browser, givenWebhook, receiver, service }) => {
      const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
      await writeMessage(api, 'A private word.');
      await receiver.received(1);
      for (const role of ['support', 'viewer'] as const) {
        const person = await addMember(service, { name: role, role });
        const storageState = await sessionOf(service, person);
        const context = await browser.newContext({ baseURL: service.home, storageState });
        const page = await context.newPage();
        await page.goto(`settings/webhooks/${webhook.uuid}`);
        await expect(figureOf(page, 'Success of attempts, 24 h')).toHaveText([
          '100 %',
          '1 of 1 attempt',
        ]);
        await openTab(page, 'Deliveries');
        const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '204' });
        const drawer = await openDelivery(page, row);
        await expect(drawer.getByText(/^The body is not shown: your role/)).toBeVisible();
        await expect(drawer).not.toContainText('A private word.');
        await expect(drawer.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
        const allowed = role === 'support' ? 1 : 0;
        await expect(drawer.getByRole('button', { name: 'Send again' })).toHaveCount(allowed);
        await drawer.getByRole('button', { name: 'Close' }).click();
        await expect(drawer).toBeHidden();
        await expect(replayButton(page)).toHaveCount(allowed);
        await context.close();
      }
    },
  );
});
