import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { readData } from '../helpers/read-data.ts';
import { scrolledSideways } from '../pages/checks/accessibility.ts';

/** The maximum width of the page's column: 1,120 px, and 12 on each side for the hover of rows. */
const widestPx = 1120 + 2 * 12;

/** The last width is one at which every link is visible. */
const widths = [320, 390, 640, 960, 1920, 3840, 1280];

// In the ordinary run, `expectAccessible` looks for horizontal scrolling at 320 px.
test('from 320 px to 4K no page scrolls sideways, and none stretches beyond its column', async ({
  api,
  guard,
  named,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const unbroken = named('An-unbroken-name-that-goes-on-and-on-and-on-and-on').replaceAll(' ', '-');
  const key = await made(api.post('/api/v1/api-keys', { data: { name: unbroken, type: 'full' } }));
  await api.post(`/api/v1/api-keys/${key}/rotate`, { data: { grace_period_seconds: 7200 } });
  await made(
    api.post('/api/v1/webhooks', {
      data: {
        name: unbroken,
        url: `https://hooks.example.com/${'a-long-path/'.repeat(20)}`,
        events: ['message.created', 'conversation.created', 'conversation.closed'],
      },
    }),
  );
  await page.goto('settings/api-keys');
  await expectToFit(page, 'API keys');
  await test.step('at 4K a question and a menu stay as small as elsewhere', async () => {
    await page.setViewportSize({ width: 3840, height: 800 });
    const columns = ['Name', 'Status'].map((name) => page.getByRole('columnheader', { name }));
    const [name = 0, status = 0] = await Promise.all(
      columns.map(async (column) => (await column.boundingBox())?.width),
    );
    expect(name, 'names are what there is room for').toBeGreaterThan(status);
    await page.getByRole('button', { name: `Actions for ${unbroken}` }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await widthOf(page, 'menu')).toBeLessThanOrEqual(240);
    await page.getByRole('menuitem', { name: 'Rotate token' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await widthOf(page, 'dialog')).toBeLessThanOrEqual(520);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Cancel' }).click();
  });
  const links = [
    [unbroken, unbroken],
    ['Edit key', `Edit ${unbroken}`],
    ['Webhooks', 'Webhooks'],
    [unbroken, unbroken],
    ['Audit log', 'Audit log'],
    ['Webhooks', 'Webhooks'],
    [unbroken, unbroken],
    ['Settings', unbroken],
    ['Edit webhook', `Edit ${unbroken}`],
  ] as const;
  for (const [link, heading] of links) {
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await expectToFit(page, heading);
  }

  for (const link of ['Webhooks', 'Create webhook', 'Team', 'Account', 'API keys', 'Create key']) {
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await expectToFit(page, link);
  }
  await page.getByRole('button', { name: /Your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expectToFit(page, 'Profile');
  await page.getByRole('link', { name: 'Security', exact: true }).click();
  await expectToFit(page, 'Security');
  await page.goto('settings/nowhere');
  await expectToFit(page, 'Page not found');
});

/**
 * At every width, the page with this heading neither scrolls sideways nor is wider than its column.
 */
async function expectToFit(page: Page, heading: string): Promise<void> {
  const isShown = page.getByRole('heading', { level: 1, name: heading, exact: true });
  await expect(isShown).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 3840 ? 2160 : 800 });
    expect.soft(await scrolledSideways(page), `${heading} at ${width} px`).toEqual([]);
    expect.soft(await page.evaluate(stretched, widestPx), `${heading} at ${width} px`).toEqual([]);
  }
}

async function widthOf(page: Page, role: 'menu' | 'dialog'): Promise<number> {
  return (await page.getByRole(role).boundingBox())?.width ?? Number.NaN;
}

/** The elements of the page's column that are wider than that. */
function stretched(max: number): string[] {
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().width > max)
    .map((element) => `${element.tagName} ${element.className}`);
}

async function made(answering: Promise<{ json(): Promise<unknown> }>): Promise<string> {
  const data = await readData<{ uuid: string }>(await answering);
  return data.uuid;
}
