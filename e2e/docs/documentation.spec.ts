import { expect } from '@playwright/test';
import { expectAccessible } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { docsPages } from '../pages/docs-pages.ts';

const rotation = '/docs/reference/api-keys/rotate-api-key';

test('everyone can read the documentation without signing in', async ({ browser, service }) => {
  test.slow();
  const context = await browser.newContext({ baseURL: service.origin });
  const page = await context.newPage();
  for (const [path, title] of docsPages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Conversation Service`);
    await expectAccessible(page, path);
  }
  await context.close();
});

test('the page of an operation shows a call in three languages, with the address of the reader', async ({
  page,
  service,
}) => {
  await page.goto(rotation);
  const sample = page.getByRole('region', { name: /^Sample in / });
  await expect(sample).toContainText(`curl -X POST ${service.origin}/api/v1/api-keys/`);
  await page.getByRole('radio', { name: 'TypeScript' }).check();
  await expect(sample).toContainText("import { createClient } from 'conversation-service-client'");
  await page.getByRole('radio', { name: 'Python' }).check();
  await expect(sample).toContainText('urllib.request.Request(');
  await expect(page.getByRole('region', { name: 'Response' })).toContainText(
    '"token": "sk_live_…"',
  );
});

test('the search finds sections with the keyboard alone', async ({ page }) => {
  await page.goto('/docs');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('repeat request');
  const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
  await expect(results.first()).toBeVisible();
  await expectAccessible(page, 'results of the search');
  await field.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(results.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(field).toBeFocused();
  await field.fill('Repeat a request safely');
  await expect(results.first()).toContainText('Repeat a request safely');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/guides\/api-clients#repeat-a-request-safely$/);
  await expect(page.getByRole('heading', { name: 'Repeat a request safely' })).toBeInViewport();

  await page.keyboard.press('/');
  await page.keyboard.type('xyzzy');
  await expect(page.getByText('No results. Try other words.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('navigation', { name: 'Guides' })).toBeVisible();
});

test('on a phone, the pages and the search are in a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/errors/scope');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const sheet = page.getByRole('dialog', { name: 'Navigation' });
  await sheet.getByRole('link', { name: 'Receive webhooks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Receive webhooks' })).toBeVisible();
  await expect(sheet).toHaveCount(0);
});

test('every page is Markdown too, and llms.txt leads to it', async ({ request, service }) => {
  const list = await (await request.get('/llms.txt')).text();
  const addresses = Array.from(list.matchAll(/\((http[^)]+)\)/g), ([, address = '']) => address);
  expect(addresses).toContain(`${service.origin}${rotation}.md`);
  for (const address of addresses) {
    const response = await request.get(address);
    expect(response.headers()['content-type'], address).toBe('text/markdown; charset=utf-8');
    expect(await response.text(), address).toMatch(/^# /);
  }
  expect((await request.get('/docs/nowhere.md')).status()).toBe(404);
  expect((await request.get('/docs/pictures/..%2FREADME.md')).status()).toBe(404);
});

test('the pictures of a guide are those of the theme that the reader chose, and none is loaded for the other', async ({
  context,
  page,
  service,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  for (const theme of ['dark', 'light'] as const) {
    await context.addCookies([{ name: 'theme', value: theme, url: service.origin }]);
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
    loaded.length = 0;
    await page.goto('/docs/guides/admin');
    const picture = page.getByRole('img', { name: /^The webhooks page/ });
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveAttribute('src', `/docs/pictures/webhooks-${theme}.png`);
    await expect(picture).toHaveJSProperty('complete', true);
    const other = theme === 'dark' ? 'light' : 'dark';
    expect(loaded.filter((url) => url.endsWith(`-${other}.png`))).toEqual([]);
  }
});

test('a printed page has its text alone, black on white in every theme', async ({
  context,
  page,
  service,
}) => {
  await context.addCookies([{ name: 'theme', value: 'dark', url: service.origin }]);
  for (const path of ['/docs/guides/admin', rotation]) {
    await page.goto(path);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const role of ['button', 'radio', 'img', 'navigation', 'complementary'] as const) {
      await expect(page.getByRole(role), `${role} on ${path}`).toHaveCount(0);
    }
    await expect(page.getByRole('link', { name: 'View as Markdown' })).toBeHidden();
    await page.emulateMedia({ media: null });
  }
});

test('each page of the dashboard links to its chapter, in a new tab', async ({
  context,
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { uuid } = await givenApiKey({ name: named('Read about') });
  for (const [path, chapter] of [
    ['settings/api-keys', 'admin'],
    [`settings/api-keys/${uuid}/usage`, 'admin#see-what-a-key-does'],
    ['settings/team', 'owner'],
  ] as const) {
    await page.goto(path);
    const link = page.getByRole('main').getByRole('link', { name: /^Learn more/ });
    const response = await page.request.get((await link.getAttribute('href')) ?? '', {
      maxRedirects: 0,
    });
    expect(response.headers()['location'], path).toBe(`/docs/guides/${chapter}`);
  }
  await page.goto('settings/webhooks');
  const opened = context.waitForEvent('page');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Learn more/ })
    .click();
  const docs = await opened;
  await expect(docs).toHaveURL('/docs/guides/admin#create-a-webhook');
  await expect(docs.getByRole('heading', { name: 'Create a webhook' })).toBeInViewport();
  await page.goto('settings/webhooks');
  await expect(page.getByRole('link', { name: /^Documentation/ })).toHaveAttribute('href', '/docs');
});
