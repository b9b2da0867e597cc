import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import {
  expectAccessible,
  figureOf,
  mainAct,
  openWebhook,
} from 'conversation-service-playwright-kit';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { ApiProxy, ProxyResponse } from '../helpers/servers/api-proxy.ts';
import { test } from '../fixtures.ts';
import { broken } from '../helpers/error-responses.ts';

const one = /^\/api\/v1\/webhooks\/[^/]+$/;
const statistics = /^\/api\/v1\/webhooks\/[^/]+\/statistics/;

test('each bar shows its span and numbers, to arrow keys and to the pointer, until Escape', async ({
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  count(apiProxy, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  const tip = page.getByRole('tooltip');
  await page.getByText('Show as a table').click();
  await page.getByRole('radio', { name: '24 h' }).focus();
  await page.keyboard.press('Tab');
  const slider = page.getByRole('slider', { name: 'Deliveries over 24 hours' });
  const expectTold = async (told: string) =>
    await expect(slider).toHaveAttribute('aria-valuetext', told);
  await expect(slider).toBeFocused();
  await expectTold('20 Nov, 11:00 – 12:00, so far: 23 delivered, 0 retried, 0 failed');
  await expect(tip).toHaveText('20 Nov, 11:00 – 12:00, so farDelivered 23Retried 0Failed 0');
  await page.keyboard.press('ArrowRight');
  await expect(tip).toContainText('so far');
  await page.keyboard.press('ArrowLeft');
  await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Retried 0Failed 7');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await expect(slider).toBeFocused();
  await expectTold('20 Nov, 10:00 – 11:00: 22 delivered, 0 retried, 7 failed');
  await page.keyboard.press('Home');
  await expect(tip).toHaveText('19 Nov, 12:00 – 13:00Delivered 0Retried 0Failed 0');
  await page.keyboard.press('End');
  await expect(tip).toContainText('so far');

  // The bars are one tab stop, which keeps its position.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  await expect(tip).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await expect(slider).toBeFocused();
  await expectTold('20 Nov, 10:00 – 11:00: 22 delivered, 0 retried, 7 failed');
  await expectAccessible(page, 'health, asked, and as a table');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  for (const [hour, told] of [
    [22, '20 Nov, 10:00 – 11:00Delivered 22Retried 0Failed 7'],
    [0, '19 Nov, 12:00 – 13:00Delivered 0Retried 0Failed 0'],
  ] as const) {
    await slider.hover(await placeOf(slider, hour));
    await expect(tip).toHaveText(told);
  }
  await slider.hover(await placeOf(slider, 22));
  await tip.hover();
  await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Retried 0Failed 7');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(tip).toBeHidden();

  // In forced colors and in print the parts of a bar keep their colors.
  const bars = slider.locator('xpath=following-sibling::div').locator('a');
  const parts = bars.nth(22).locator('[data-mark]');
  await expect(parts).toHaveCount(2);
  const usual = await parts.evaluateAll(grounds);
  expect(new Set(usual).size).toBe(2);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await parts.evaluateAll(grounds)).toEqual(usual);
  await page.emulateMedia({ forcedColors: null, media: 'print' });
  expect(await parts.evaluateAll(grounds)).toEqual(usual);
  for (const part of await parts.all()) await expect(part).toHaveCSS('print-color-adjust', 'exact');
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('a tap selects a bar and shows its numbers; the old figures stay until new ones are read', async ({
    apiProxy,
    givenWebhook,
    guard,
    signedIn: page,
  }) => {
    guard.allow(/status of 500/);
    apiProxy.respondTo('GET', statistics, () => broken());
    await page.clock.install();
    await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
    const health = page.getByRole('region', { name: 'Health' });
    const panel = health.getByRole('status').filter({ hasText: 'The figures could not be loaded' });
    await expect(panel).toContainText('Something went wrong. Request ID req-from-the-test');
    await expect(page.getByRole('link', { name: 'Settings', exact: true })).toBeVisible();
    count(apiProxy, aDay);
    await panel.getByRole('button', { name: 'Try again' }).click();
    const figures = page.getByText('276 of 283 attempts');
    await expect(figures).toBeVisible();
    await expect(panel).toBeHidden();

    const tip = page.getByRole('tooltip');
    const slider = health.getByRole('slider');
    await slider.tap(await placeOf(slider, 22));
    await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Retried 0Failed 7');
    await slider.tap(await placeOf(slider, 21));
    await expect(tip).toHaveText('20 Nov, 09:00 – 10:00Delivered 21Retried 0Failed 0');

    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    apiProxy.respondTo('GET', statistics, async () => {
      calls += 1;
      await isReleased;
      const data = { ...aDay, window: '7d', failed: 7 * calls };
      return calls === 3 ? broken() : { status: 200, body: { success: true, data } };
    });
    await health.getByRole('radio', { name: '7 d' }).check();
    await expect(health.locator('[aria-busy=true]').filter({ has: figures })).toBeVisible();
    await expect(health.getByText('p50 over 24 hours')).toBeVisible();
    release();
    await expect(health.getByText('p50 over 7 days')).toBeVisible();
    await expect(health.locator('[aria-busy=true]')).toHaveCount(0);

    // They are read every 30 seconds, not more often.
    await page.clock.runFor(28_000);
    expect(calls).toBe(1);
    await page.clock.runFor(3_000);
    await expect(health.getByText('276 of 290 attempts')).toBeVisible();
    await page.clock.runFor(30_000);
    await expect(health.getByText(/The figures could not be refreshed/)).toBeVisible();
    await expect(health.getByText(/You see them as of \d\d:\d\d\./)).toBeVisible();
    await expect(health.getByText('276 of 290 attempts')).toBeVisible();
    expect(calls).toBe(3);
  });
});

test('an open page shows when its webhook begins to fail, when and why it was deactivated, and its responses by status and error, compared with the same span of time before', async ({
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.clock.install();
  await openWebhook(page, webhook);
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByText('Success of deliveries, 24 h')).toBeVisible();
  await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
  const topOf = async () => (await health.boundingBox())?.y;
  const topBefore = await topOf();

  const began = new Date(Date.now() - dayMs);
  readAs(apiProxy, {
    failure_count: 1204,
    failing_since: began.toISOString().replace('Z', '+00:00'),
  });
  await page.clock.runFor(31_000);
  await expect(page.getByText('Failing', { exact: true })).toBeVisible();
  await expect(page.getByText('1,204 attempts have failed since then.')).toBeVisible();
  const steps = page.getByRole('listitem').filter({ has: page.getByRole('time') });
  await expect(steps).toHaveText([
    /in (35|36) h.*Reminder by email$/,
    /in [23] days.*Reminder by email$/,
    /in [34] days.*Deactivated if all attempts fail$/,
  ]);
  await expect(steps.last().getByRole('time')).toHaveAttribute(
    'datetime',
    new Date(began.getTime() + 5 * dayMs).toISOString().replace('Z', '+00:00'),
  );
  expect(await topOf(), 'nothing moves below').toBe(topBefore);
  await expectAccessible(page, 'failing');

  readAs(apiProxy, {
    is_active: false,
    status: 'deactivated',
    inactive_since: '2026-11-16T07:41:00.000+00:00',
    inactive_reason: 'gone',
    failure_count: 1,
  });
  await page.clock.runFor(31_000);
  await expect(page.getByText('Deactivated since 16 Nov 2026, 07:41 UTC')).toBeVisible();
  await expect(page.getByText(/^Its server responded with 410 Gone\./)).toBeVisible();
  await expect(mainAct(page, 'Resume')).toBeVisible();

  count(apiProxy, {
    ...aDay,
    failed: 12,
    responses: [
      { status_code: 200, error: null, attempts: 276, attempts_before: 251 },
      { status_code: 503, error: null, attempts: 7, attempts_before: 0 },
      { status_code: null, error: 'response_timeout', attempts: 3, attempts_before: 1 },
      { status_code: null, error: 'read_timeout', attempts: 2, attempts_before: 0 },
      { status_code: 404, error: null, attempts: 0, attempts_before: 4 },
    ],
    previous: {
      since: '2026-11-18T12:00:00.000+00:00',
      until: '2026-11-19T11:31:07.440+00:00',
      delivered: 251,
      failed: 5,
      success_rate: 0.9805,
      response_p50_ms: 173,
      response_p95_ms: 940,
    },
  });
  const table = page.getByRole('table', { name: 'Responses, 24 h' });
  // A read that was in progress may have the counts from before.
  await expect(async () => {
    await page.clock.runFor(31_000);
    await expect(table).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(table.getByRole('row')).toHaveText([
    'ResponseAttemptsthe day before',
    '200276251',
    '50370',
    'Timed out51',
    '40404',
  ]);
  await expect(figureOf(page, 'Median response time')).toHaveText([
    '182 ms',
    '173 ms the day before',
  ]);
  await expectAccessible(page, 'deactivated, health compared');
});

/** 24 hours with 0, 1, 2 and so on delivered, and 7 failed in the last whole hour. */
const aDay = {
  window: '24h',
  since: at(0),
  until: '2026-11-20T11:31:07.440+00:00',
  bucket_seconds: 3600,
  delivered: 276,
  failed: 7,
  success_rate: 0.9753,
  p50_ms: 182,
  p95_ms: 1240,
  deliveries: deliveries(276, 7),
  response_p50_ms: 182,
  response_p95_ms: 1240,
  responses: [
    { status_code: 200, error: null, attempts: 276, attempts_before: null },
    { status_code: 503, error: null, attempts: 7, attempts_before: null },
  ],
  previous: null,
  busiest_second: null,
  last_attempt: null,
  last_failure: null,
  next_attempt: null,
  buckets: Array.from({ length: 24 }, (_, hour) => ({
    start: at(hour),
    delivered: hour,
    failed: hour === 22 ? 7 : 0,
    success_rate: hour === 0 ? null : 1,
    p50_ms: hour === 0 ? null : 182,
    p95_ms: hour === 0 ? null : 1240,
    deliveries: deliveries(hour, hour === 22 ? 7 : 0),
  })),
};

function deliveries(delivered: number, failed: number): object {
  return {
    total: delivered + failed,
    delivered,
    delivered_after_retry: 0,
    retrying: 0,
    failed,
    cancelled: 0,
  };
}

function at(hour: number): string {
  const date = new Date(Date.parse('2026-11-19T12:00:00Z') + hour * hourMs);
  return date.toISOString().replace('Z', '+00:00');
}

/** From now on, these are the statistics of each webhook. */
function count(apiProxy: ApiProxy, data: object): void {
  apiProxy.respondTo('GET', statistics, () => ({ status: 200, body: { success: true, data } }));
}

/** The position of an hour's bar, near its foot, so that it hits even the lowest bar. */
async function placeOf(slider: Locator, hour: number) {
  const width = (await slider.boundingBox())?.width ?? 0;
  // Forced, because the bar on top receives the press at the slider's position.
  return { position: { x: (width * (hour + 0.5)) / 24, y: 100 }, force: true };
}

function grounds(elements: Element[]): string[] {
  return elements.map((element) => getComputedStyle(element).backgroundColor);
}

/** Changes how the API returns each webhook, as after days of deliveries. */
function readAs(apiProxy: ApiProxy, over: object): void {
  apiProxy.respondTo('GET', one, async ({ pass }) => {
    const response = await pass();
    const { data } = response.body as { data: object };
    return {
      ...response,
      body: { success: true, data: { ...data, ...over } },
    } satisfies ProxyResponse;
  });
}
