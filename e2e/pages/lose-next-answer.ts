import type { Page } from '@playwright/test';

/**
 * The next server action of this page reaches the service and is done; the connection breaks before
 * its answer arrives. Gives the answer that was lost.
 *
 * @param after how many actions are answered before
 */
export async function loseNextAnswer(
  page: Page,
  { after = 0 } = {},
): Promise<{ answer: Promise<string> }> {
  const { promise: answer, resolve } = Promise.withResolvers<string>();
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
      const fetched = await route.fetch();
      resolve(await fetched.text());
      await route.abort('failed');
    },
  );
  return { answer };
}

/** The token in an answer that was lost. */
export function tokenIn(answer: string): string {
  const [token] = /sk_live_\w+/.exec(answer) ?? [];
  if (token === undefined) throw new Error('the lost answer held no token');
  return token;
}
