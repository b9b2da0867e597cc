import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';

/**
 * Waits until this is seen and answers presses. The server's markup is there before the browser has
 * taken it over, and what is pressed until then is lost.
 */
export async function whenAlive(element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  await expect
    // React marks each element that it has taken over.
    .poll(() =>
      element.evaluate((one) => Object.keys(one).some((key) => key.startsWith('__react'))),
    )
    .toBe(true);
}
