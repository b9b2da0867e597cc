import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('a page reads its data from the service once, and fetches each of its fonts once, as it is preloaded', async ({
  apiProxy,
  givenApiKey,
  givenWebhook,
  service,
  signedIn: page,
}) => {
  const { uuid: key } = await givenApiKey();
  const { uuid: webhook } = await givenWebhook();
  const reads: string[] = [];
  apiProxy.respondTo('GET', /./, async ({ path, pass }) => {
    reads.push(path);
    return await pass();
  });
  for (const path of [
    'api-keys',
    `api-keys/${key}`,
    'webhooks',
    `webhooks/${webhook}`,
    `webhooks/${webhook}/deliveries`,
    'events',
    'team',
    'audit-log',
    'account',
    'profile',
    'security',
  ]) {
    reads.length = 0;
    // Without a browser, which would refetch some of the data a while later.
    const response = await page.context().request.get(`${service.home}settings/${path}`);
    expect(response.status()).toBe(200);
    expect(reads, path).toContain('/api/dashboard/session');
    expect(reads.toSorted(), path).toEqual([...new Set(reads)].toSorted());
  }

  await page.goto('settings/webhooks');
  await page.waitForFunction(() => document.fonts.status === 'loaded');
  const { preloaded, fetched } = await page.evaluate(() => ({
    preloaded: [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')].map(
      ({ href }) => href,
    ),
    fetched: performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.woff2')),
  }));
  expect(preloaded).toHaveLength(2);
  expect(fetched.toSorted()).toEqual(preloaded.toSorted());
});
