import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';

test.skip(isRemote, 'makes more keys than a real account should have');

const keyCount = 60;

test('the server sends the first rows of a long list, the others follow, and a reload keeps the place', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await Promise.all(Array.from({ length: keyCount }, async () => await givenApiKey()));
  const path = `${service.home}settings/api-keys?sort=name`;
  const sent = await (await page.context().request.get(path)).text();
  expect(sent.split('role="rowheader"').length - 1).toBe(25);

  await page.goto(path);
  const rows = page.getByRole('rowheader');
  await expect(rows).toHaveCount(keyCount + 1);
  await keepsPlaceOnReload(page, rows);
});

test('the server sends the first entries of the audit log, the others follow, and a reload keeps the place', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await Promise.all(Array.from({ length: keyCount }, async () => await givenApiKey()));
  const path = `${service.home}settings/audit-log`;
  const sent = await (await page.context().request.get(path)).text();
  expect(sent.split('id="audit-entry-').length - 1).toBe(25);

  await page.goto(path);
  const entries = page.getByRole('button', { name: /, details$/ });
  await expect(entries).toHaveCount(50);
  await keepsPlaceOnReload(page, entries);
});

/** Also where not all rows are there yet when the browser goes back to its place. */
async function keepsPlaceOnReload(page: Page, rows: Locator): Promise<void> {
  const count = await rows.count();
  const scrolled = async () => await page.evaluate(() => window.scrollY);
  await rows.last().scrollIntoViewIfNeeded();
  await expect.poll(scrolled).toBeGreaterThan(0);
  const before = await scrolled();

  await page.reload();
  await expect(rows).toHaveCount(count);
  // To the pixel: the height of a table is half of one larger or smaller by its borders.
  await expect.poll(async () => Math.abs((await scrolled()) - before)).toBeLessThanOrEqual(1);
}
