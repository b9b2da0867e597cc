import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { scrolledSideways } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { docsPages } from '../pages/docs-pages.ts';

/** The maximum width of the page's column: 1,120 px, and 12 on each side for the hover of rows. */
const widestPx = 1120 + 2 * 12;

test('from 320 px to 4K, and with text twice as large, no page scrolls sideways, and none stretches beyond its column', async ({
  api,
  givenApiKey,
  givenWebhook,
  guard,
  named,
  signedIn: page,
}) => {
  test.slow();
  guard.allow(/status of 404/);
  const name = named('An-unbroken-name-that-goes-on-and-on-and-on-and-on').replaceAll(' ', '-');
  const { uuid: key } = await givenApiKey({ name });
  await api.post(`/api/v1/api-keys/${key}/rotate`, { data: { grace_period_seconds: 7200 } });
  const url = `https://hooks.example.com/${'a-long-path/'.repeat(20)}`;
  const { uuid: webhook } = await givenWebhook({ name, url, isActive: true, hasSecret: true });
  await api.post(`/api/v1/webhooks/${webhook}/test`, { data: { type: 'message.created' } });

  const browser = await page.context().newCDPSession(page);
  for (const [path, shown] of [
    ['api-keys', name],
    ['api-keys/new', 'Scopes'],
    [`api-keys/${key}`, 'Created'],
    [`api-keys/${key}/edit`, 'Scopes'],
    ['webhooks', name],
    ['webhooks/new', 'Events'],
    [`webhooks/${webhook}`, 'Deliveries'],
    [`webhooks/${webhook}/deliveries`, 'webhook.test'],
    [`webhooks/${webhook}/settings`, 'Signing secret'],
    [`webhooks/${webhook}/edit`, 'Events'],
    ['events', 'webhook.test'],
    [`webhooks/${webhook}/signature`, 'Signature doctor'],
    ['audit-log', name],
    ['team', 'ada'],
    ['account', 'Support access'],
    ['profile', 'Email'],
    ['security', 'Password'],
    ['rotation-requests', 'Requests'],
    ['nowhere', 'Page not found'],
    ...docsPages,
  ] as const) {
    await page.goto(path.startsWith('/') ? path : `settings/${path}`);
    await expect(page.getByRole('main').getByText(shown).first()).toBeAttached();
    for (const width of [320, 390, 640, 960, 1280, 1920, 3840]) {
      await page.setViewportSize({ width, height: width === 3840 ? 2160 : 800 });
      expect.soft(await scrolledSideways(page), `${path} at ${width} px`).toEqual([]);
      expect.soft(await page.evaluate(stretched, widestPx), `${path} at ${width} px`).toEqual([]);
    }
    // As a person sets it in their browser.
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    await expect(page.locator('html')).toHaveCSS('font-size', '32px');
    for (const width of [1440, 1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await scrolledSideways(page), `${path} at ${width} px, large`).toEqual([]);
    }
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  }

  await test.step('at 4K a question and a menu stay as small as elsewhere', async () => {
    await page.goto('settings/api-keys');
    await page.setViewportSize({ width: 3840, height: 800 });
    const columns = ['Name', 'Status'].map((column) =>
      page.getByRole('columnheader', { name: column }),
    );
    const [names = 0, statuses = 0] = await Promise.all(
      columns.map(async (column) => (await column.boundingBox())?.width),
    );
    expect(names, 'names are what there is room for').toBeGreaterThan(statuses);
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await widthOf(page, 'menu')).toBeLessThanOrEqual(240);
    await page.getByRole('menuitem', { name: 'Rotate token' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await widthOf(page, 'dialog')).toBeLessThanOrEqual(520);
  });
});

async function widthOf(page: Page, role: 'menu' | 'dialog'): Promise<number> {
  return (await page.getByRole(role).boundingBox())?.width ?? Number.NaN;
}

/** The elements of the page's column that are wider than that, except lines of code, which scroll. */
function stretched(max: number): string[] {
  return [...document.querySelectorAll('main :not(pre *)')]
    .filter((element) => element.getBoundingClientRect().width > max)
    .map((element) => `${element.tagName} ${element.className}`);
}
