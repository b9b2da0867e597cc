import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Judges what the page shows now, light and dark, 1280 and 320 px wide: no breach of WCAG 2.2 AA
 * that a machine can see, and at 320 px nothing but code to be scrolled sideways.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await whenStill(page);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    // A bar that stays in sight covers what was scrolled under it, which is no fault of either.
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // No frames are judged, and the other mode opens a second page for its last step.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .withTags(rules)
        .analyze();
      const breaches = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
      );
      expect.soft(breaches, `${what}, ${colorScheme}, ${width} px`).toEqual([]);
    }
    if (width === 320) {
      expect.soft(await scrolledSideways(page), `${what} at 320 px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
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
