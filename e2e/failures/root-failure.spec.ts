import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('the page that is shown when the root layout fails has the theme that the person chose', async ({
  context,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/reading 'missing'/);
  await context.addCookies([{ name: 'theme', value: 'dark', url: service.origin }]);
  await page.emulateMedia({ colorScheme: 'light' });
  // The root layout renders this attribute itself, outside of every other error page.
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const body = script.replace('"data-app-root":""', '"data-app-root":window.missing.missing');
    await route.fulfill({ response, body });
  });
  await page.goto('settings/api-keys');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  // Scripts that load after the page may still be on their way.
  await page.unrouteAll({ behavior: 'wait' });
});
