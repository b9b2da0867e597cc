import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { menuOf, openApiKeys, rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

// In forced colors, the browser replaces all colors of a page by a few of the person's own, and
// drops backgrounds and shadows. What these show must then also be shown by a line or a system
// color. These tests compare pixels.
test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

test('in forced colors each stop of the keyboard, menus, questions and what is chosen are marked', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openApiKeys(page);
  await expect(menuOf(page, name)).toBeVisible();
  await test.step('a status and the current page are marked', async () => {
    const dot = rowOf(page, name).locator('[data-mark]').first();
    expect(await vanishes(page, dot), 'the dot').toBe(true);
    const current = page.getByRole('navigation').getByRole('link', { name: 'API keys' });
    const marked = await look(page, current);
    await current.evaluate((element) => element.removeAttribute('aria-current'));
    expect((await look(page, current)).equals(marked), 'the current page').toBe(false);
  });

  await test.step('the search, the filters and the table header show the focus', async () => {
    await page.getByRole('main').focus();
    const stops: string[] = [];
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

  await test.step('menus and questions have a border, and the item under the pointer is marked', async () => {
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

  await test.step('a selected segment looks different from the others, with the focus and without', async () => {
    const question = page.getByRole('dialog', { name: `Rotate ${name}` });
    const day = question.getByRole('radio', { name: 'In 24 hours' });
    const chosen = await look(page, day);
    await question.getByRole('radio', { name: 'In 1 hour' }).check();
    expect((await look(page, day)).equals(chosen), 'a segment').toBe(false);
    // A radio button that has the focus is always the selected one, so the two must not look
    // alike.
    await page.keyboard.press('ArrowRight');
    await expect(day).toBeFocused();
    expect((await look(page, day)).equals(chosen), 'a focused segment').toBe(false);
  });
});

test('in forced colors a ticked choice and what is left of a grace period stay marked', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const { uuid } = await givenApiKey();
  await api.post(`/api/v1/api-keys/${uuid}/rotate`, { data: { grace_period_seconds: 7200 } });
  await page.goto(`settings/api-keys/${uuid}`);
  const meter = page.getByRole('meter', { name: 'Grace period of the old token' });
  await expect(meter).toBeVisible();
  expect(await vanishes(page, meter.locator('[data-mark]')), 'what is left').toBe(true);
  await meter.locator('[data-mark]').evaluate((bar: HTMLElement) => bar.remove());
  expect(await vanishes(page, meter), 'what it is left of').toBe(true);

  await page.goto('settings/api-keys/new');
  const bot = page.getByRole('radio', { name: 'Bot' });
  const card = page.locator('label').filter({ has: bot });
  const scope = page.getByRole('checkbox', { name: 'Write messages' });
  const before = await look(page, card);
  await bot.check();
  await blur(bot);
  expect((await look(page, card)).equals(before), 'a card').toBe(false);
  const ticked = await look(page, scope);
  await scope.uncheck();
  await blur(scope);
  expect((await look(page, scope)).equals(ticked), 'a checkbox').toBe(false);
});

/**
 * The pixels of the element and of 6 px around it. The pointer is elsewhere, unless the test has
 * placed it there.
 */
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

/** Whether hiding the element changes the pixels. */
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
