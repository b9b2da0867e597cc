import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isFullRun, test } from './fixtures.ts';
import { scrolledSideways } from './pages/every-look.ts';

/** As wide as the page's column ever gets: 1,120 px, and 12 on each side where a row's hover ends. */
const widestPx = 1120 + 2 * 12;

const widths = isFullRun ? [320, 390, 640, 960, 1280, 1920, 3840] : [320, 640, 1280, 3840];

test('from 320 px to 4K no page scrolls sideways, and none stretches beyond its column', async ({
  api,
  guard,
  named,
  signedIn: page,
}) => {
  test.slow();
  guard.allow(/status of 404/);
  const unbroken = named('An-unbroken-name-that-goes-on-and-on-and-on-and-on').replaceAll(' ', '-');
  const key = await made(api.post('/api/v1/api-keys', { data: { name: unbroken, type: 'full' } }));
  await api.post(`/api/v1/api-keys/${key}/rotate`, { data: { grace_period_seconds: 7200 } });
  const webhook = await made(
    api.post('/api/v1/webhooks', {
      data: {
        name: unbroken,
        url: `https://hooks.example.com/${'a-long-path/'.repeat(20)}`,
        events: ['message.created', 'conversation.created', 'conversation.closed'],
      },
    }),
  );
  for (const path of [
    'api-keys',
    'api-keys/new',
    `api-keys/${key}`,
    `api-keys/${key}/edit`,
    'webhooks',
    'webhooks/new',
    `webhooks/${webhook}`,
    `webhooks/${webhook}/edit`,
    'account',
    'nowhere',
  ]) {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`settings/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 3840 ? 2160 : 800 });
      expect.soft(await scrolledSideways(page), `${path} at ${width} px`).toEqual([]);
      expect.soft(await page.evaluate(stretched, widestPx), `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('at 4K a question and a menu stay as small as they are elsewhere', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await page.setViewportSize({ width: 3840, height: 2160 });
  await page.goto('settings/api-keys');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  expect(await widthOf(page, 'menu')).toBeLessThanOrEqual(240);
  await menu.getByRole('menuitem', { name: 'Rotate token' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await widthOf(page, 'dialog')).toBeLessThanOrEqual(520);
});

async function widthOf(page: Page, role: 'menu' | 'dialog'): Promise<number> {
  return (await page.getByRole(role).boundingBox())?.width ?? Number.NaN;
}

/** What in the page's column is wider than that. */
function stretched(most: number): string[] {
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().width > most)
    .map((element) => `${element.tagName} ${element.className}`);
}

async function made(answering: Promise<{ json(): Promise<unknown> }>): Promise<string> {
  const { data } = (await (await answering).json()) as { data: { uuid: string } };
  return data.uuid;
}
