import type { Page } from '@playwright/test';

/** Where a page still has one of these texts: what it shows, what it keeps, and what it cached. */
export async function tracesOf(page: Page, ...texts: string[]): Promise<string[]> {
  return await page.evaluate((sought) => {
    type Cache = { getAll: () => { state: unknown; options: unknown }[] };
    type Client = { getQueryCache: () => Cache; getMutationCache: () => Cache };
    type Fiber = {
      memoizedProps: { client?: Client } | null;
      stateNode: { current?: Fiber } | null;
      child: Fiber | null;
      sibling: Fiber | null;
    };

    const fields = [...document.querySelectorAll('input, textarea, select')] as HTMLInputElement[];
    const client = findClient();
    const places: [string, string][] = [
      ['document', document.documentElement.outerHTML],
      ['field', fields.map(({ value }) => value).join('\n')],
      ['address', window.location.href],
      ['history', JSON.stringify(window.history.state)],
      [
        'visited addresses',
        window.navigation
          .entries()
          .map(({ url }) => url)
          .join('\n'),
      ],
      ['local storage', JSON.stringify({ ...window.localStorage })],
      ['session storage', JSON.stringify({ ...window.sessionStorage })],
      ['cookies', document.cookie],
      ['query cache', client ? textOf(client.getQueryCache()) : ''],
      ['mutation cache', client ? textOf(client.getMutationCache()) : ''],
    ];
    return places
      .filter(([, held]) => sought.some((text) => held.includes(text)))
      .map(([name]) => name);

    /** The client that the page gives to its components, as React keeps it. */
    function findClient(): Client | null {
      const [, root] =
        Object.entries(document).find(([name]) => name.startsWith('__reactContainer$')) ?? [];
      const waiting = [(root as Fiber | undefined)?.stateNode?.current ?? null];
      for (let fiber = waiting.pop(); fiber !== undefined; fiber = waiting.pop()) {
        if (fiber?.memoizedProps?.client?.getQueryCache) return fiber.memoizedProps.client;
        if (fiber) waiting.push(fiber.sibling, fiber.child);
      }
      return null;
    }

    function textOf(cache: Cache): string {
      return JSON.stringify(cache.getAll().map(({ state, options }) => [state, options]));
    }
  }, texts);
}
