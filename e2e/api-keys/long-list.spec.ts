import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from '../fixtures.ts';

const keyCount = 40;

test('the server sends the first rows of a long list, the others follow, and a reload keeps the place', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await Promise.all(Array.from({ length: keyCount }, async () => await givenApiKey()));
  const lists = [
    {
      path: `${service.home}settings/api-keys?sort=name`,
      isSent: 'role="rowheader"',
      rows: page.getByRole('rowheader'),
    },
    {
      path: `${service.home}settings/audit-log`,
      isSent: 'id="audit-entry-',
      rows: page.getByRole('button', { name: /, details$/ }),
    },
  ];
  for (const { path, isSent } of lists) {
    const sent = await (await page.context().request.get(path)).text();
    expect(sent.split(isSent).length - 1).toBe(25);
  }
  for (const { path, rows } of lists) {
    await page.goto(path);
    await expect.poll(async () => await rows.count()).toBeGreaterThanOrEqual(keyCount);
    await keepsPlaceOnReload(page, rows);
  }
});

/** Also if not all rows are rendered yet when the browser restores the position. */
async function keepsPlaceOnReload(page: Page, rows: Locator): Promise<void> {
  const count = await rows.count();
  const scrolled = async () => await page.evaluate(() => window.scrollY);
  await rows.last().scrollIntoViewIfNeeded();
  await expect.poll(scrolled).toBeGreaterThan(0);
  const before = await scrolled();

  await page.reload();
  await expect(rows).toHaveCount(count);
  // To the pixel: because of its borders, a table's height can differ by half a pixel.
  await expect.poll(async () => Math.abs((await scrolled()) - before)).toBeLessThanOrEqual(1);
}
