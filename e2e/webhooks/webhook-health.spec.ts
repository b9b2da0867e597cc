import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import {
  deliveriesOf,
  figureOf,
  openTab,
  openWebhook,
  readData,
  signIn,
} from 'conversation-service-playwright-kit';
import type { Receiver } from 'conversation-service-playwright-kit';
import { hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';

test('after three attempts delivered and one failed, figures and table say exactly that, in the window of the address', async ({
  api,
  control,
  givenWebhook,
  receiver,
  service,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  // More than a day, for a chart of whole days; and to the beginning of an hour, so that no new
  // bucket begins during the test.
  const aheadMs = 26 * hourMs - (Date.now() % hourMs);
  await control.moveClock({ ms: aheadMs });
  await page.clock.install({ time: Date.now() + aheadMs });
  await attemptThreeAndFailOnce(api, receiver, webhook);
  // The session has ended by then.
  await page.goto('settings/webhooks');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/webhooks');
  await openWebhook(page, webhook);

  const health = page.getByRole('region', { name: 'Health' });
  await expect(figureOf(page, 'Success of deliveries, 24 h')).toHaveText([
    '75.0 %',
    '3 of 4 deliveries, 1 retrying',
  ]);
  await expect(figureOf(page, 'Success of attempts, 24 h')).toHaveText([
    '75.0 %',
    '3 of 4 attempts',
  ]);
  await expect(figureOf(page, 'Median response time')).toHaveText([
    /^\d+ ms$/,
    'p50 over 24 hours',
  ]);
  await expect(figureOf(page, '95th percentile')).toHaveText([/^[\d.]+ m?s$/, 'p95 over 24 hours']);
  // A single failed attempt is not worth a warning.
  await expect(page.getByText('Failing')).toBeHidden();
  await expect(health.getByText(/^[46] deliveries per half hour$/)).toBeVisible();

  const table = health.getByRole('table', {
    name: /^Deliveries made since \d+ \w{3} \d{4}, \d\d:30 UTC$/,
  });
  await expect(table).toBeHidden();
  await health.getByText('Show as a table').click();
  await expect(table.getByRole('columnheader')).toHaveText([
    'When',
    'Delivered',
    'Retried',
    'Failed',
  ]);
  await expect(table.getByRole('rowheader')).toHaveCount(48);
  await expect(table.getByRole('rowheader').last()).toHaveText(/^\d+ \w{3}, \d\d:00 – .*, so far$/);
  const numbers = (await table.getByRole('cell').allTextContents()).map(Number);
  expect(numbers).toEqual([...Array<number>(141).fill(0), 3, 1, 0]);

  const responses = health.getByRole('table', { name: 'Responses, 24 h' });
  await expect(responses.getByRole('row')).toHaveText(['ResponseAttempts', '2043', '5031']);

  // The bars are one tab stop, and not in the reading order.
  const path = `settings/webhooks/${webhook.uuid}`;
  const slider = health.getByRole('slider');
  await expect(health.getByRole('link')).toHaveCount(3 + 2);
  await expect(slider).toHaveAccessibleName('Deliveries over 24 hours');
  await expect(slider).toHaveAttribute('aria-valuemax', '48');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^\d+ \w{3}, \d\d:00 – \d\d:30, so far: 3 delivered, 1 retried, 0 failed$/,
  );
  for (const [choice, window] of [
    ['7 d', '7d'],
    ['30 d', '30d'],
  ] as const) {
    await health.getByRole('radio', { name: choice }).check();
    await expect(page).toHaveURL(`${path}?window=${window}`);
    // The hours since the webhook was created, a day ago.
    await expect(slider).toHaveAttribute('aria-valuemax', /^2[67]$/);
  }
  await page.reload();
  await expect(health.getByRole('radio', { name: '30 d' })).toBeChecked();
  await expect(figureOf(page, 'Success of attempts, 30 d')).toHaveText([
    '75.0 %',
    '3 of 4 attempts',
  ]);
  await health.getByRole('radio', { name: '24 h' }).check();
  await expect(page).toHaveURL(path);
  await expect(slider).toHaveAttribute('aria-valuemax', '48');

  // Each number links to exactly the deliveries that it counts, and Back leads back to the
  // numbers.
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'message.created' });
  await health.getByRole('link', { name: 'Retried 1', exact: true }).click();
  await expect(page).toHaveURL(/\/deliveries\?status=retried&from=[^&]+$/);
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeFocused();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Retrying in');
  await page.goBack();
  await health.getByRole('link', { name: 'Delivered 3', exact: true }).click();
  await expect(rows).toHaveCount(3);
  await page.goBack();
  await slider.press('Enter');
  await expect(page).toHaveURL(/\/deliveries\?from=[^&]+&to=[^&]+$/);
  await expect(rows).toHaveCount(4);
  await page.goBack();
  const firstBar = { position: { x: 2, y: 100 }, force: true };
  await slider.click(firstBar);
  await expect(page.getByText('No matching deliveries')).toBeVisible();
  await page.getByRole('button', { name: /^Remove the filter: / }).click();
  await expect(rows).toHaveCount(4);

  // Above the numbers are the server's response and what happens next.
  await openTab(page, 'Overview');
  await expect(page.getByText('The warehouse is being loaded.')).toBeVisible();
  await expect(page.getByText(/^Next attempt in .+, on \d+ \w{3}/)).toBeVisible();
  await page.getByRole('button', { name: /^Try now/ }).click();
  await expect(page.getByText('The latest attempt succeeded.')).toBeVisible();
  await expect(page.getByRole('status').getByText('The attempt succeeded.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

/** Sends four messages. The last one is refused and not retried for an hour. */
async function attemptThreeAndFailOnce(
  api: APIRequestContext,
  receiver: Receiver,
  { uuid }: { uuid: string },
): Promise<void> {
  receiver.respondWith(
    { status: 204 },
    { status: 204 },
    { status: 204 },
    {
      status: 503,
      headers: { 'Retry-After': '3600' },
      body: 'The warehouse is being loaded.',
    },
    { status: 204 },
  );
  const opened = await api.post('/api/v1/conversations', { data: { subject: 'Order 1042' } });
  const data = await readData<{ id: number }>(opened);
  for (let count = 1; count <= 4; count += 1) {
    await api.post(`/api/v1/conversations/${data.id}/messages`, {
      data: { author: 'contact', text: `Number ${count}.` },
    });
  }
  await expect
    .poll(async () => {
      const response = await api.get(`/api/v1/webhooks/${uuid}/statistics`);
      const read = await readData<Record<string, unknown>>(response);
      return [read['delivered'], read['failed']];
    })
    .toEqual([3, 1]);
}
