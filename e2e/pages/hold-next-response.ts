import type { Page } from '@playwright/test';

export type HeldResponse = {
  /** The response, once the service has acted; the page does not have it yet. */
  arrived: Promise<string>;
  /** Delivers the response to the page. */
  deliver: () => void;
  /** Breaks the connection before the page has the response. */
  lose: () => void;
};

/**
 * Holds back the response to the next server action of this page, after the service has acted.
 *
 * @param after how many earlier actions get their responses
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
      const ended = (await isDelivered) ? route.fulfill({ response }) : route.abort('failed');
      // If the page was left, nobody waits for the response.
      await ended.catch(() => undefined);
    },
  );
  return { arrived, deliver: () => decide(true), lose: () => decide(false) };
}

/**
 * Loses the response to the next server action of this page: the service acts, but the connection
 * breaks before the response arrives. Returns the lost response.
 *
 * @param after how many earlier actions get their responses
 */
export async function loseNextResponse(
  page: Page,
  options?: { after: number },
): Promise<{ response: Promise<string> }> {
  const { arrived, lose } = await holdNextResponse(page, options);
  lose();
  return { response: arrived };
}

/** The token in a lost response. */
export function tokenIn(response: string): string {
  const [token] = /sk_live_\w+/.exec(response) ?? [];
  if (token === undefined) throw new Error('the lost response held no token');
  return token;
}
