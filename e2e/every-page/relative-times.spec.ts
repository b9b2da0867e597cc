import { expect } from '@playwright/test';
import { rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a time that is shown in seconds goes on counting', async ({ api, signedIn: page }) => {
  await page.clock.install();
  expect((await api.get('/api/v1/api-key')).ok()).toBe(true);
  await page.goto('settings/api-keys');
  const row = rowOf(page, 'Initial key');
  await expect(row).toContainText(/just now| s ago/i);
  await page.clock.pauseAt(Date.now() + 10_000);
  const shown = async () => Number(/(\d+) s ago/.exec(await row.innerText())?.[1] ?? 0);
  await page.clock.runFor(6000);
  await expect.poll(shown).toBeGreaterThan(10);
  const before = await shown();
  await page.clock.runFor(10_000);
  await expect.poll(shown).toBeGreaterThanOrEqual(before + 5);
});
