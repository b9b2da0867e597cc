import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/**
 * Presses Tab or Shift+Tab until this element has the focus, and checks that every stop on the way
 * is visible.
 */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  for (let press = 0; press < 30; press += 1) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(isFocusSeen), 'the focus is seen').toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('30 presses of Tab did not lead there');
}

/** An outline on the focused element, or on the label around it; a field also has its border. */
function isFocusSeen(): boolean {
  for (let element = document.activeElement; element; element = element.parentElement) {
    const style = getComputedStyle(element);
    const isOneLine = style.borderTopColor === style.outlineColor;
    const width =
      Number.parseFloat(style.outlineWidth) +
      (isOneLine ? Number.parseFloat(style.borderTopWidth) : 0);
    if (style.outlineStyle !== 'none' && width >= 2) return true;
    if (style.boxShadow !== 'none' && element.matches(':focus-within') && element.matches('label'))
      return true;
    if (element.matches('form, main, [role=dialog]')) return false;
  }
  return false;
}
