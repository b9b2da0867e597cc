import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import {
  expectAccessible,
  mainAct,
  openWebhooks,
  rowOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { broken, rateLimited, refusal } from '../helpers/error-responses.ts';

const list = /^\/api\/v1\/webhooks\?/;
const one = /^\/api\/v1\/webhooks\/[^/]+$/;

test('the list is searched by name and ID, but not by a secret; a followed row shows the shape of its page until it can be read', async ({
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  await openWebhooks(page);
  const search = page.getByRole('searchbox', { name: 'Search webhooks' });
  await search.fill('nothing is called this');
  await expect(
    page.getByRole('heading', { level: 2, name: 'No webhook matches “nothing is called this”' }),
  ).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^0 of / })).toBeVisible();
  await search.fill(uuid.toUpperCase());
  await expect(rowOf(page, name)).toBeVisible();
  await search.fill(['whsec', 'bm90IGZvciB0aGUgYWRkcmVzcw=='].join('_'));
  await expect(search).toHaveValue('whsec_…');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rowOf(page, name)).toBeVisible();

  const shown = Promise.withResolvers<void>();
  apiProxy.respondTo('GET', one, async ({ pass }) => {
    await shown.promise;
    return await pass();
  });
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Health']);
  await expect(page.getByRole('link', { name: 'Overview' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  shown.resolve();
  await expect(mainAct(page, 'Finish set-up')).toBeVisible();
});

test('a list that cannot be read says so with its request, and is read on demand; a refetch that fails keeps the rows', async ({
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const { name } = await givenWebhook();
  await page.clock.install();
  apiProxy.respondTo('GET', list, () => broken());
  await openWebhooks(page);
  const panel = page.getByRole('status').filter({ hasText: 'The list could not be loaded' });
  await expect(panel).toContainText('Something went wrong. Request ID req-from-the-test');
  await expectAccessible(page, 'a list that could not be loaded');
  apiProxy.reset();
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(rowOf(page, name)).toBeVisible();
  await expect(panel).toBeHidden();

  apiProxy.respondTo('GET', list, () => broken());
  await page.clock.fastForward('00:45');
  // Coming back to the tab refetches.
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  const stale = page.getByRole('status').filter({ hasText: 'The list could not be refreshed' });
  await expect(stale).toContainText(/You see the webhooks as of \d\d:\d\d\./);
  await expect(rowOf(page, name)).toBeVisible();
});

test('a webhook that cannot be read says so with its request, or counts down, and is read on demand or by itself', async ({
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of (429|500)/);
  const { name, uuid } = await givenWebhook();
  apiProxy.respondTo('GET', one, () => broken());
  await page.clock.install();
  await page.goto(`settings/webhooks/${uuid}`);
  const panel = page.getByRole('status').filter({ hasText: 'The webhook could not be loaded' });
  await expect(panel).toContainText('Something went wrong. Request ID req-from-the-test');
  apiProxy.respondTo('GET', one, () => rateLimited(47));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Trying again in 0:4\d\./)).toBeVisible();
  await expect(page.getByText('Too many requests', { exact: true })).toHaveCount(1);
  apiProxy.reset();
  await page.clock.fastForward('00:50');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(panel).toBeHidden();
});

test('who may not see webhooks is told who can change that', async ({
  apiProxy,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 403/);
  apiProxy.respondTo('GET', list, () =>
    refusal(403, {
      code: 'FORBIDDEN',
      message: 'You do not have permission to access this resource.',
    }),
  );
  await openWebhooks(page);
  await expect(page.getByRole('heading', { name: 'You cannot see webhooks' })).toBeVisible();
  await expect(page.getByText('An owner or an admin can change your role.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create webhook' })).toBeHidden();
});

test('the heading of the failures ends where the numbers below it end, and does not move when the list is sorted by it', async ({
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const { name } = await givenWebhook({ isActive: true, hasSecret: true });
  apiProxy.respondTo('GET', list, async ({ pass }) => {
    const response = await pass();
    const { data } = response.body as { data: object[] };
    const failing = data.map((listed) => ({ ...listed, failure_count: 1204 }));
    return { ...response, body: { ...(response.body as object), data: failing } };
  });
  await openWebhooks(page);
  const number = rowOf(page, name).getByText('1,204', { exact: true });
  const heading = page.getByRole('button', { name: 'Failures' });
  const endOf = async (locator: Locator) =>
    await locator.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(
        [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE) ?? element,
      );
      return range.getBoundingClientRect().right;
    });
  const end = await endOf(heading);
  expect(Math.abs(end - (await endOf(number)))).toBeLessThan(1);
  await heading.click();
  await expect(page).toHaveURL(/sort=-?failures/);
  expect(await endOf(heading)).toBe(end);
});
