import { expect } from '@playwright/test';
import {
  bearer,
  expectAccessible,
  openApiKeys,
  rowOf,
  signIn,
} from 'conversation-service-playwright-kit';
import { dayMs, hourMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';

test('the usage of a key shows its calls over time, what would fix the refused ones, and who calls', async ({
  control,
  givenApiKey,
  request,
  service,
  signedIn: page,
}) => {
  test.slow();
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const call = async (path: string, agent: string) => {
    const headers = { ...bearer(key.token), 'User-Agent': agent };
    return (await request.get(`/api/v1${path}`, { headers })).status();
  };
  expect(await call('/webhooks', 'import/1.0')).toBe(200);
  // To the beginning of an hour, so that no new one begins during the test.
  await control.moveClock({ ms: 2 * dayMs - (Date.now() % hourMs) });
  expect(await call('/webhooks', 'import/2.0')).toBe(200);
  await control.moveClock({ ms: hourMs });
  expect(await call('/webhooks', 'import/2.0')).toBe(200);
  expect(await call('/conversations', 'import/2.0')).toBe(403);
  expect(await call('/nothing', 'import/2.0')).toBe(404);

  // The session has ended by then.
  await page.goto('settings/api-keys');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  await openApiKeys(page);
  const bars = rowOf(page, key.name).getByRole('img');
  // The list does not wait for calls that are not written yet.
  await expect(async () => {
    await page.reload();
    const counts = '4 calls in 24 hours: 2 succeeded, 1 client error, 1 refused';
    await expect(bars).toHaveAccessibleName(counts, { timeout: 1000 });
  }).toPass();
  await page.getByRole('link', { name: key.name, exact: true }).click();
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`^Usage of ${key.name} · `));

  await test.step('the chart has each hour, for keys as well', async () => {
    const legend = page.getByRole('region', { name: 'Calls' }).getByRole('listitem');
    await expect(legend).toHaveText(['Succeeded 2', 'Client error 1', 'Limited 0', 'Refused 1']);
    const chart = page.getByRole('slider', { name: 'Calls over 24 hours' });
    await chart.focus();
    const lastHour = /so far: 1 succeeded, 1 client error, 1 refused$/;
    await expect(chart).toHaveAttribute('aria-valuetext', lastHour);
    await expect(page.getByRole('tooltip')).toContainText('Refused 1');
    await page.keyboard.press('ArrowLeft');
    await expect(chart).toHaveAttribute('aria-valuetext', /: 1 succeeded$/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('meter', { name: /^This key/ })).toHaveAttribute(
      'aria-valuenow',
      '3',
    );
  });

  await test.step('what would fix a refused call leads to it', async () => {
    const scope = page.getByRole('row', { name: /^Needs conversations:read/ });
    await expect(scope).toContainText('GET /conversations from 127.0.0.1');
    await expect(scope.getByRole('link', { name: 'Add scope' })).toHaveAttribute(
      'href',
      new RegExp(`/settings/api-keys/${key.uuid}/edit$`),
    );
    await expect(
      page.getByRole('row', { name: /^Needs a path or an ID that exists/ }),
    ).toBeVisible();
    await page.getByText('Latest calls with their IDs').click();
    await expect(page.getByText('403 GET /api/v1/conversations')).toBeVisible();
  });

  await test.step('callers and routes are listed for the chosen window, which the address keeps', async () => {
    const callers = page.getByRole('table', { name: 'Callers of the last 24 hours' });
    await expect(callers.getByRole('rowheader')).toHaveCount(1);
    await expectAccessible(page, 'usage of a key');
    await page.getByRole('radio', { name: '7 d' }).check({ force: true });
    await expect(page).toHaveURL(/window=7d/);
    const week = page.getByRole('table', { name: 'Callers of the last 7 days' });
    await expect(week).toContainText('import/1.0');
    await expect(page.getByRole('table', { name: /^Routes/ })).toContainText('GET /webhooks');
    await page.reload();
    await expect(page.getByRole('radio', { name: '7 d' })).toBeChecked();
  });
});

test('a key without calls says so', async ({ givenApiKey, signedIn: page }) => {
  const key = await givenApiKey();
  await page.goto(`settings/api-keys/${key.uuid}/usage`);
  await expect(page.getByText('No calls in the last 24 hours.')).toBeVisible();
  await expectAccessible(page, 'usage of a key without calls');
});
