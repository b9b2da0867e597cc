import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import axeCore from 'axe-core';
import { findWeakTexts } from './forced-contrast.ts';

type Rules = { type: 'tag' | 'rule'; values: string[] };

const wcag: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
const contrast: Rules = { type: 'rule', values: ['color-contrast'] };
const targetSize: Rules = { type: 'rule', values: ['target-size'] };

/**
 * Checks the page as it is shown now against every rule of WCAG 2.2 AA that a machine can check, at
 * 1280 px in light mode. Dark mode and forced colors are checked for contrast, and 320 px for the
 * size of targets and for reflow: nothing but code may scroll sideways. The other rules give the
 * same result there.
 * @param part checks only this, such as a dialog, where a test checks the rest of the page in
 *   another look
 */
export async function expectAccessible(page: Page, what: string, part?: Locator): Promise<void> {
  const root = part ?? page.locator(':root');
  await page.setViewportSize({ width: 1280, height: 800 });
  await whenStill(page);
  await expectNoViolations(page, root, { what: `${what}, light`, rules: wcag });
  await expectReadableColors(page, root, what);

  await page.setViewportSize({ width: 320, height: 800 });
  await whenStill(page);
  await expectNoViolations(page, root, { what: `${what}, 320 px`, rules: targetSize });
  expect.soft(await scrolledSideways(page), `${what}, 320 px`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function expectReadableColors(page: Page, root: Locator, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await whenStill(page);
  await expectNoViolations(page, root, { what: `${what}, dark`, rules: contrast });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await whenStill(page);
  expect.soft(await findWeakTexts(root), `${what}, forced colors`).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
}

async function expectNoViolations(
  page: Page,
  root: Locator,
  { what, rules }: { what: string; rules: Rules },
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  expect.soft(await root.evaluate(findViolations, rules), what).toEqual([]);
}

async function findViolations(root: Element, runOnly: Rules): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof axeCore };
  const { violations } = await axe.run(root, {
    runOnly,
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

/** What a finger could scroll sideways: the page itself, or a part of it that is not code. */
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

/**
 * Scrolls to the top and resolves when nothing fades or moves any longer; endless animations are
 * not waited for. At the top, because a sticky bar covers what was scrolled below it, which is not
 * a fault.
 */
async function whenStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    window.scrollTo(0, 0);
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
