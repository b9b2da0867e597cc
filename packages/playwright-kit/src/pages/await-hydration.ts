import type { BrowserContext, Page } from '@playwright/test';

/**
 * Makes each page of this context wait, after it has loaded, until it is hydrated: before that,
 * presses and input take effect only later.
 */
export function awaitHydration(context: BrowserContext): void {
  for (const page of context.pages()) waitAfterLoading(page);
  context.on('page', waitAfterLoading);
}

/** Waits until the page is hydrated, for a page that was opened by a press. */
export async function whenHydrated(page: Page): Promise<void> {
  await page.locator('[data-hydrated=false]').first().waitFor({ state: 'detached' });
}

function waitAfterLoading(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...to) => {
    const response = await goto(...to);
    await whenHydrated(page);
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload(...options);
    await whenHydrated(page);
    return response;
  };
}
