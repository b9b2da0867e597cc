import { expect } from '@playwright/test';
import { expectAccessible } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('the page to which a refusal links says what to do, without signing in', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const { token } = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const refused = await fetch(new URL('/api/v1/api-keys', service.origin), {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { error } = (await refused.json()) as { error: { doc_url: string } };
  const context = await browser.newContext({ baseURL: service.origin });
  const page = await context.newPage();
  await page.goto(new URL(error.doc_url).pathname);
  await expect(
    page.getByRole('heading', { level: 1, name: 'The API key lacks a scope' }),
  ).toBeVisible();
  await expect(page.getByText('Add the scope to the key under Settings')).toBeVisible();
  await expectAccessible(page, 'reason of a refusal');

  await page.goto('/docs/errors/constructor');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await context.close();
});
