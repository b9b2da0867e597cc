import type { Page } from '@playwright/test';

export type HeldResponse = {
  /** The answer, once the service has acted; the page does not have it yet. */
  arrived: Promise<string>;
  /** Lets the page have it. */
  deliver: () => void;
  /** Breaks the connection before the page has it. */
  lose: () => void;
};

/**
 * The next server action of this page reaches the service and is done, but its answer does not
 * reach the page yet.
 *
 * @param after how many actions are answered before
 */
export async function holdNextResponse(page: Page, { after = 0 } = {}): Promise<HeldResponse> {
  const { promise: arrived, resolve } = Promise.withResolvers<string>();
  const { promise: isDelivered, resolve: decide } = Promise.withResolvers<boolean>();
  let actions = 0;
  await page.route(
    (url) => url.pathname.includes('/settings/'),
    async (route) => {
      const isAction = route.request().headers()['next-action'] !== undefined;
      if (isAction) actions += 1;
      if (!isAction || actions !== after + 1) {
        await route.fallback();
        return;
      }
      const response = await route.fetch();
      resolve(await response.text());
      const answered = (await isDelivered) ? route.fulfill({ response }) : route.abort('failed');
      // Nobody waits for it where the page was left.
      await answered.catch(() => undefined);
    },
  );
  return { arrived, deliver: () => decide(true), lose: () => decide(false) };
}
