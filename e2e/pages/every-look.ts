import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Checks what the page shows now against every rule of WCAG 2.2 AA that a machine can check, at
 * 1280 px in light mode. Dark mode is checked for contrast, and 320 px for the size of targets and
 * for reflow: nothing but code may scroll sideways. The other rules give the same result there.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await whenStill(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  // A bar that stays in sight covers what was scrolled under it, which is no fault of either.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNoViolations(page, `${what}, light`, (axe) => axe.withTags(rules));
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNoViolations(page, `${what}, dark`, (axe) => axe.withRules('color-contrast'));

  await page.setViewportSize({ width: 320, height: 800 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectNoViolations(page, `${what}, 320 px`, (axe) => axe.withRules('target-size'));
  expect.soft(await scrolledSideways(page), `${what}, 320 px`).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

async function expectNoViolations(
  page: Page,
  what: string,
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  // No frames are checked, and the other mode opens a second page for its last step.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  const breaches = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
  expect.soft(breaches, what).toEqual([]);
}

/** What a finger could push sideways: the page itself, or a part of it that isn't code. */
export async function scrolledSideways(page: Page): Promise<string[]> {
  return await page.evaluate(sidewaysScrollers);
}

function sidewaysScrollers(): string[] {
  const scrollers = [...document.querySelectorAll('html, body, body *')].filter((element) => {
    if (element.scrollWidth <= element.clientWidth || element.clientWidth === 0) return false;
    const isPage = element === document.documentElement;
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
    return (isPage || scrolls) && element.closest('pre') === null;
  });
  return scrollers.map(
    (element) => `${element.tagName} ${element.className}: ${element.scrollWidth} px`,
  );
}

/** Resolves when nothing fades or moves any longer; what turns for ever is not waited for. */
async function whenStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
