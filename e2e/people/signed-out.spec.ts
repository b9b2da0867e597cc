import { expect } from '@playwright/test';
import { expectAccessible, signOut, tracesOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

/** A header with which requests could skip the middleware of older versions of Next. */
const claims = {
  'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
  'x-middleware-invoke': '1',
  'x-middleware-next': '1',
};

test('a request that claims to have passed the middleware gets nothing', async ({
  givenApiKey,
  givenWebhook,
  request,
}) => {
  const { name: key } = await givenApiKey();
  const { name: webhook } = await givenWebhook();
  for (const path of [
    'settings/api-keys',
    'settings/webhooks',
    'data/listApiKeys',
    'data/listWebhooks',
  ]) {
    for (const headers of [{}, claims]) {
      const response = await request.get(path, {
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
        maxRedirects: 0,
      });
      const text = await response.text();
      expect(text).not.toContain(key);
      expect(text).not.toContain(webhook);
      if (path.startsWith('data/')) expect(response.status()).toBe(401);
      else expect(response.headers()['location']).toMatch(/^(?:http:\/\/[^/]+)?\/sign-in\?next=/);
    }
  }
});

test('a person whose sign-out failed stays, is told so, and can try again; after signing out, no data stays in the page or comes back with Back', async ({
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/\/session|status of 503|ERR_FAILED/);
  const { name } = await givenApiKey();
  await page.goto('settings/api-keys');
  await expect(page.getByText(name)).toBeVisible();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL('**/settings/webhooks');
  const outcomes = ['lost', 'refused', 'given'];
  await page.route(
    (url) => url.pathname === '/session',
    async (route) => {
      const outcome = outcomes.shift();
      if (outcome === 'lost') await route.abort('failed');
      else if (outcome === 'refused') await route.fulfill({ status: 503 });
      else await route.fallback();
    },
  );
  await signOut(page);
  const dialog = page.getByRole('alertdialog', { name: 'Sign out' });
  await expect(dialog.getByText('You may still be signed in')).toBeVisible();
  await expectAccessible(page, 'failed sign-out', dialog);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => outcomes).toEqual(['given']);
  await expect(dialog.getByText('You may still be signed in')).toBeVisible();
  await expect(page).toHaveURL('settings/webhooks');
  await dialog.getByRole('button', { name: 'Try again' }).click();

  await expect(page).toHaveURL(/\/sign-in/);
  expect(await tracesOf(page, name)).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await tracesOf(page, name)).toEqual([]);
});
