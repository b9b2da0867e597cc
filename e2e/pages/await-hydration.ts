import type { BrowserContext, Page } from '@playwright/test';

/**
 * Has each page of this context wait, once it is loaded, until the browser has taken over what the
 * server sent: before that, presses of buttons and what is entered only count later.
 */
export function awaitHydration(context: BrowserContext): void {
  for (const page of context.pages()) waitAfterLoading(page);
  context.on('page', waitAfterLoading);
}

function waitAfterLoading(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const waiting = page.locator('[data-hydrated=false]').first();
  const whenHydrated = () => waiting.waitFor({ state: 'detached' });
  page.goto = async (...to) => {
    const answer = await goto(...to);
    await whenHydrated();
    return answer;
  };
  page.reload = async (...options) => {
    const answer = await reload(...options);
    await whenHydrated();
    return answer;
  };
}
