import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Between } from './between.ts';
import { isRemote, test } from './fixtures.ts';
import { broken } from './replies.ts';
import { expectAccessible } from './pages/every-look.ts';
import { openWebhook } from './pages/webhooks.ts';

test.skip(isRemote, 'answers in the place of the API');

const statistics = /^\/api\/v1\/webhooks\/[^/]+\/statistics/;
const hourMs = 3_600_000;

test('arrow keys walk over the bars, and each tells its span and numbers until Escape', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  count(between, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  const tip = page.getByRole('tooltip');
  await page.getByRole('radio', { name: '24 h' }).focus();
  await page.keyboard.press('Tab');
  await expect(bar(page, '20 Nov, 11:00 – 12:00, so far: 23 delivered, 0 failed')).toBeFocused();
  await expect(tip).toHaveText('20 Nov, 11:00 – 12:00, so farDelivered 23Failed 0');
  await page.keyboard.press('ArrowRight');
  await expect(tip).toContainText('so far');
  await page.keyboard.press('ArrowLeft');
  await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Failed 7');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await expect(bar(page, '20 Nov, 10:00 – 11:00: 22 delivered, 7 failed')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(tip).toHaveText('19 Nov, 12:00 – 13:00Delivered 0Failed 0');
  await page.keyboard.press('End');
  await expect(tip).toContainText('so far');

  // One stop for them all, to which Tab comes back.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  await expect(tip).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await expect(bar(page, '20 Nov, 10:00 – 11:00: 22 delivered, 7 failed')).toBeFocused();
});

test('the pointer asks a bar without a press, and can go on to what it says', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  count(between, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  const tip = page.getByRole('tooltip');
  await expect(tip).toBeHidden();
  for (const [asked, told] of [
    ['20 Nov, 10:00 – 11:00: 22 delivered, 7 failed', '20 Nov, 10:00 – 11:00Delivered 22Failed 7'],
    ['19 Nov, 12:00 – 13:00: 0 delivered, 0 failed', '19 Nov, 12:00 – 13:00Delivered 0Failed 0'],
  ] as const) {
    // Near the foot, where the lowest bar would be.
    await bar(page, asked).hover({ position: { x: 4, y: 120 } });
    await expect(tip).toHaveText(told);
  }
  await bar(page, '20 Nov, 10:00 – 11:00: 22 delivered, 7 failed').hover();
  await tip.hover();
  await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Failed 7');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(tip).toBeHidden();
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('a tap on a bar tells its numbers, and they stay', async ({
    between,
    givenWebhook,
    signedIn: page,
  }) => {
    count(between, aDay);
    await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
    const tip = page.getByRole('tooltip');
    await bar(page, '20 Nov, 10:00 – 11:00: 22 delivered, 7 failed').tap();
    await expect(tip).toHaveText('20 Nov, 10:00 – 11:00Delivered 22Failed 7');
    await bar(page, '20 Nov, 09:00 – 10:00: 21 delivered, 0 failed').tap();
    await expect(tip).toHaveText('20 Nov, 09:00 – 10:00Delivered 21Failed 0');
  });
});

test('while another window is read, the figures from before stay and are marked as waiting', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  count(between, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  const health = page.getByRole('region', { name: 'Health' });
  const figures = page.getByText('276 of 283 attempts');
  await expect(figures).toBeVisible();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  between.answer('GET', statistics, async () => {
    await isReleased;
    return { status: 200, body: { success: true, data: { ...aDay, window: '7d' } } };
  });
  await health.getByRole('radio', { name: '7 d' }).check();
  await expect(health.locator('[aria-busy=true]').filter({ has: figures })).toBeVisible();
  await expect(health.getByText('p50 over 24 hours')).toBeVisible();
  release();
  await expect(health.getByText('p50 over 7 days')).toBeVisible();
  await expect(health.locator('[aria-busy=true]')).toHaveCount(0);
});

test('figures that cannot be read say so with their request, and are read on demand', async ({
  between,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  between.answer('GET', statistics, () => broken());
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  const health = page.getByRole('region', { name: 'Health' });
  const panel = health.getByRole('status').filter({ hasText: 'The figures could not be read' });
  await expect(panel).toContainText('Something went wrong. Request req-from-the-test');
  await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeVisible();
  count(between, aDay);
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(health.getByText('276 of 283 attempts')).toBeVisible();
  await expect(panel).toBeHidden();
});

test('the figures are asked for anew each 30 seconds, no oftener, and what fails keeps the old', async ({
  between,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  let calls = 0;
  between.answer('GET', statistics, () => {
    calls += 1;
    return calls === 3
      ? broken()
      : { status: 200, body: { success: true, data: { ...aDay, failed: 7 * calls } } };
  });
  await page.clock.install();
  await openWebhook(page, webhook);
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByText('276 of 283 attempts')).toBeVisible();
  await page.clock.runFor(29_000);
  expect(calls).toBe(1);
  await page.clock.runFor(2_000);
  await expect(health.getByText('276 of 290 attempts')).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(health.getByText(/The figures could not be refreshed/)).toBeVisible();
  await expect(health.getByText(/You see them as of \d\d:\d\d\./)).toBeVisible();
  await expect(health.getByText('276 of 290 attempts')).toBeVisible();
  expect(calls).toBe(3);
});

test('a webhook that begins to fail says so on its open page', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  count(between, aDay);
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.clock.install();
  await openWebhook(page, webhook);
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByText('Last attempt')).toBeVisible();
  between.answer('GET', /^\/api\/v1\/webhooks\/[^/]+$/, async ({ pass }) => {
    const reply = await pass();
    const { data } = reply.body as { data: object };
    const since = new Date(Date.now() - hourMs).toISOString().replace('Z', '+00:00');
    const failing = { ...data, failure_count: 3, failing_since: since };
    return { ...reply, body: { success: true, data: failing } };
  });
  await page.clock.runFor(31_000);
  await expect(health.getByText('Failing for')).toBeVisible();
  await expect(health.getByText(/^3 failures since /)).toBeVisible();
  await expect(page.getByText('Active, failing')).toBeVisible();
});

test('health is accessible, asked by keyboard and as a table, empty and broken', async ({
  between,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  // Each look is judged four times.
  test.slow();
  guard.allow(/status of 500/);
  count(between, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  await page.getByText('As a table').click();
  for (const place of ['middle', 'end']) {
    const asked = place === 'middle' ? '19 Nov, 23:00 – 24:00: 11 d' : '20 Nov, 11:00 – 12:00';
    await bar(page, asked).focus();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expectAccessible(page, `health, asked in the ${place}`);
  }
  between.answer('GET', statistics, () => broken());
  await page.reload();
  await expect(page.getByText('The figures could not be read')).toBeVisible();
  await expectAccessible(page, 'health that could not be read');
  between.reset();
  await page.reload();
  await expect(page.getByText('Nothing was sent in the last 24 hours.')).toBeVisible();
  await expectAccessible(page, 'health without attempts');
});

test('in forced colours and on paper the parts of a bar keep their colours', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  count(between, aDay);
  await openWebhook(page, await givenWebhook({ isActive: true, hasSecret: true }));
  const parts = bar(page, '20 Nov, 10:00 – 11:00').locator('[data-mark]');
  await expect(parts).toHaveCount(2);
  const usual = await parts.evaluateAll(grounds);
  expect(new Set(usual).size).toBe(2);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await parts.evaluateAll(grounds)).toEqual(usual);
  await page.emulateMedia({ forcedColors: null, media: 'print' });
  expect(await parts.evaluateAll(grounds)).toEqual(usual);
  for (const part of await parts.all()) await expect(part).toHaveCSS('print-color-adjust', 'exact');
});

/** 24 hours of 0, 1, 2 and so on delivered, 7 failed in the last whole one. */
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
  buckets: Array.from({ length: 24 }, (_, hour) => ({
    start: at(hour),
    delivered: hour,
    failed: hour === 22 ? 7 : 0,
    success_rate: hour === 0 ? null : 1,
    p50_ms: hour === 0 ? null : 182,
    p95_ms: hour === 0 ? null : 1240,
  })),
};

function at(hour: number): string {
  const date = new Date(Date.parse('2026-11-19T12:00:00Z') + hour * hourMs);
  return date.toISOString().replace('Z', '+00:00');
}

/** From now on these are what each webhook's attempts came to. */
function count(between: Between, data: object): void {
  between.answer('GET', statistics, () => ({ status: 200, body: { success: true, data } }));
}

function bar(page: Page, name: string): Locator {
  return page.getByRole('img', { name });
}

function grounds(elements: Element[]): string[] {
  return elements.map((element) => getComputedStyle(element).backgroundColor);
}
