import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';

/**
 * Expects that a press anywhere on the row reaches its button, and that a press beside the row does
 * not. This must hold in WebKit too, which does not position elements relative to table rows; the
 * test imitates that by removing the position of all rows.
 */
export async function expectPressedByItself(row: Locator): Promise<void> {
  await row.scrollIntoViewIfNeeded();
  const pressed = await row.evaluate((element: HTMLTableRowElement) => {
    const rows = [...document.querySelectorAll('tr')];
    for (const one of rows) one.style.position = 'static';
    const button = element.querySelector('button');
    const { left, width, top, bottom } = element.getBoundingClientRect();
    const isPressed = (x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && button !== null && button.contains(hit);
    };
    const middle = (top + bottom) / 2;
    const places = {
      onTheRow: [0.01, 0.4, 0.8].map((share) => isPressed(left + width * share, middle)),
      besideTheRow: [top - 4, top - 60, bottom + 4].map((y) => isPressed(left + 2, y)),
    };
    for (const one of rows) one.style.removeProperty('position');
    return places;
  });
  expect(pressed).toEqual({
    onTheRow: [true, true, true],
    besideTheRow: [false, false, false],
  });
}
