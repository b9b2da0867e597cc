import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { menuOf, openApiKeys, openRotation, rowOf } from './pages/api-keys.ts';

// Some people replace all colours of a page by a few of their own. Grounds and shadows go then, so
// what they say must be said by a line or a system colour as well. A look is judged by its pixels.
test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

test('in forced colours every stop of the keyboard is seen', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openApiKeys(page);
  await expect(menuOf(page, name)).toBeVisible();
  await page.getByRole('main').focus();
  const stops: string[] = [];
  // Search, three filters and what stands in the head of the table.
  for (let stop = 0; stop < 10; stop += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    stops.push(await focused.evaluate(({ outerHTML }) => outerHTML.slice(0, 60)));
    const seen = await look(page, focused);
    await focused.evaluate((element: HTMLElement) => {
      element.setAttribute('data-was-focused', '');
      element.blur();
    });
    const left = page.locator('[data-was-focused]');
    expect.soft((await look(page, left)).equals(seen), stops.at(-1)).toBe(false);
    await left.evaluate((element: HTMLElement) => {
      element.removeAttribute('data-was-focused');
      element.focus();
    });
  }
  expect(new Set(stops).size).toBeGreaterThan(4);
});

test('in forced colours what is chosen is told from what is not, with the focus and without', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const question = await openRotation(page, name);
  const day = question.getByRole('radio', { name: 'In 24 hours' });
  const hour = question.getByRole('radio', { name: 'In 1 hour' });
  const chosen = await look(page, day);
  await hour.check();
  expect((await look(page, day)).equals(chosen), 'a segment').toBe(false);

  // A radio that has the focus is always the chosen one, so the two must not look alike.
  await page.keyboard.press('ArrowRight');
  await expect(day).toBeFocused();
  expect((await look(page, day)).equals(chosen), 'a focused segment').toBe(false);

  await page.goto('settings/api-keys/new');
  const bot = page.getByRole('radio', { name: 'Bot' });
  const card = page.locator('label').filter({ has: bot });
  const scope = page.getByRole('checkbox', { name: 'Write messages' });
  const before = await look(page, card);
  await bot.check();
  await blur(bot);
  expect((await look(page, card)).equals(before), 'a card').toBe(false);
  const empty = await look(page, scope);
  await scope.check();
  await blur(scope);
  expect((await look(page, scope)).equals(empty), 'a checkbox').toBe(false);
});

test('in forced colours menus and questions have an edge, and the act under the pointer is marked', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openApiKeys(page);
  await menuOf(page, name).click();
  const menu = page.getByRole('menu');
  expect(await borderOf(menu)).toMatch(/^[1-9]\S* solid/);
  const item = menu.getByRole('menuitem', { name: 'Rotate token' });
  await menu.getByRole('menuitem', { name: 'Edit' }).hover();
  const idle = await look(page, item);
  await item.hover();
  expect((await look(page, item)).equals(idle)).toBe(false);
  await item.click();
  expect(await borderOf(page.getByRole('dialog'))).toMatch(/^[1-9]\S* solid/);
});

test('in forced colours the page one is on, a status and what is left of a grace stay marked', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
  await openApiKeys(page);
  const dot = rowOf(page, name).locator('[data-mark]').first();
  expect(await vanishes(page, dot), 'the dot').toBe(true);
  const current = page.getByRole('navigation').getByRole('link', { name: 'API keys' });
  const marked = await look(page, current);
  await current.evaluate((element) => element.removeAttribute('aria-current'));
  expect((await look(page, current)).equals(marked), 'the current page').toBe(false);

  await api.post(`/api/v1/api-keys/${uuid}/rotate`, { data: { grace_period_seconds: 7200 } });
  await page.goto(`settings/api-keys/${uuid}`);
  const meter = page.getByRole('meter', { name: 'Grace period of the old token' });
  expect(await vanishes(page, meter.locator('[data-mark]')), 'what is left').toBe(true);
  await meter.locator('[data-mark]').evaluate((bar: HTMLElement) => bar.remove());
  expect(await vanishes(page, meter), 'what it is left of').toBe(true);
});

/** The pixels of it and of 6 px around it, the pointer being elsewhere unless it is there on purpose. */
async function look(page: Page, target: Locator): Promise<Buffer> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  const clip = {
    x: Math.max(0, box.x - 6),
    y: Math.max(0, box.y - 6),
    width: box.width + 12,
    height: box.height + 12,
  };
  return await page.screenshot({ clip });
}

/** Whether hiding it changes what is seen. */
async function vanishes(page: Page, target: Locator): Promise<boolean> {
  const shown = await look(page, target);
  await target.evaluate((element: HTMLElement) => element.style.setProperty('opacity', '0'));
  const isChanged = !(await look(page, target)).equals(shown);
  await target.evaluate((element: HTMLElement) => element.style.removeProperty('opacity'));
  return isChanged;
}

async function borderOf(target: Locator): Promise<string> {
  return await target.evaluate((element) => {
    const { borderTopWidth, borderTopStyle } = getComputedStyle(element);
    return `${borderTopWidth} ${borderTopStyle}`;
  });
}

async function blur(target: Locator): Promise<void> {
  await target.evaluate((element: HTMLElement) => element.blur());
}
