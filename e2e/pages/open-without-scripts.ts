import type { Page } from '@playwright/test';

/**
 * Opens a page whose scripts do not arrive yet, as on a slow connection. Returns a function that
 * lets them through and waits until the page is hydrated.
 */
export async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  const opening = page.goto(path);
  await page.locator('[data-hydrated=false]').first().waitFor({ state: 'attached' });
  return async () => {
    release();
    await opening;
  };
}
