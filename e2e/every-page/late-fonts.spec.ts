import { expect } from '@playwright/test';
import { rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

/** Fonts of Linux and macOS that stand in for Geist Mono (app/styles/fallback-fonts.css). */
const fallbacks = ['DejaVu Sans Mono', 'Liberation Mono', 'Menlo'];

test('no line moves up or down if the monospaced font arrives after the text was shown', async ({
  givenApiKey,
  signedIn: page,
}) => {
  test.skip(!(await page.evaluate(hasOneOf, fallbacks)), `needs a font: ${fallbacks.join(', ')}`);
  const { name } = await givenApiKey();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/geist-mono-latin-*.woff2', async (route) => {
    await released;
    await route.continue();
  });
  // The event `load` waits for fonts.
  await page.goto('settings/api-keys', { waitUntil: 'commit' });
  await expect(rowOf(page, name)).toBeVisible();

  const before = await page.evaluate(lines);
  expect(await page.evaluate(() => document.fonts.status)).toBe('loading');
  release();
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(lines)).toEqual(before);
});

async function hasOneOf(fonts: string[]): Promise<boolean> {
  const loads = fonts.map((font) => new FontFace(font, `local("${font}")`).load());
  const results = await Promise.allSettled(loads);
  return results.some(({ status }) => status === 'fulfilled');
}

/** Where the elements of the page’s content begin and end, in pixels from its top. */
function lines(): string[] {
  const elements = document.querySelectorAll('main :is(h1, p, code, button, tr, td)');
  return [...elements].map((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const text = element.textContent.slice(0, 40);
    return `${element.tagName} ${Math.round(top)} ${Math.round(bottom)} ${text}`;
  });
}
