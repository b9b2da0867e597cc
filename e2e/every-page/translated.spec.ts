import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { choose, mainAct, openApiKeys, openTab, rowOf } from 'conversation-service-playwright-kit';
import { dayMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { docsPages } from '../pages/docs-pages.ts';

/** What must never reach a translator: tokens, secrets, ids, and the last four letters of tokens. */
const untranslatable =
  /sk_live_|whsec_|[\da-f]{8}-[\da-f]{4}-|…[A-Za-z\d_-]{4}\b|\b(msg|req)_|:\/\/|\/api\/v1\//;

test('a person works on translated pages to the end, and no token, secret or id is translated', async ({
  createApiKey,
  createWebhook,
  receiver,
  rotateApiKey,
  signedIn: page,
}) => {
  test.slow();
  await page.addInitScript(translate);
  const { name, token } = await createApiKey({ expiresAt: new Date(Date.now() + 5 * dayMs) });
  expect(token).toMatch(/^sk_live_/);
  await rotateApiKey(name);
  await expectTranslated(page);
  const webhook = await createWebhook({ url: receiver.url });
  await expectTranslated(page);

  await test.step('what changes on a page is shown', async () => {
    await page.goto('settings/webhooks');
    await page.getByRole('link', { name: webhook.name }).click();
    await mainAct(page, 'Pause').click();
    await expect(page.getByText(/^Paused since \d/)).toBeVisible();
    await mainAct(page, 'Resume').click();
    await expect(mainAct(page, 'Pause')).toBeVisible();
    await openTab(page, 'Deliveries');
    await openTab(page, 'Settings');
    await expectTranslated(page);

    await openApiKeys(page);
    await page.getByRole('searchbox').fill('no key has this name');
    await expect(page.getByText(/No key/)).toBeVisible();
    await page.getByRole('searchbox').fill('');
    await expect(rowOf(page, name)).toContainText('Rotating');
    await choose(page, name, `Revoke ${name}`);
    await page.keyboard.press('Escape');
    await expectTranslated(page);
  });

  await test.step('every other page', async () => {
    await page.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expectTranslated(page);
    const pages = [
      'rotation-requests',
      'events',
      'team',
      'audit-log',
      'account',
      'profile',
      'security',
    ];
    for (const path of [
      ...pages.map((area) => `settings/${area}`),
      ...docsPages.map(([docsPath]) => docsPath),
    ]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await expectTranslated(page);
    }
  });
});

declare global {
  var translatedTexts: string[];
}

/**
 * Treats a page as translators do: each text is replaced by a `font` element with another text node,
 * from hydration on and after every change. Those that move the node there ask less of the page.
 */
function translate(): void {
  globalThis.translatedTexts = [];
  const untouched = 'font, script, style, noscript, textarea, option, [translate=no]';

  function translateAll() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (parent === null || text.data.trim() === '' || parent.closest(untouched)) continue;
      globalThis.translatedTexts.push(text.data);
      const font = document.createElement('font');
      font.append(text.data);
      text.replaceWith(font);
    }
  }

  const hydration = new MutationObserver(() => {
    if (document.querySelector('[data-hydrated=true]') === null) return;
    hydration.disconnect();
    translateAll();
    new MutationObserver(translateAll).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  hydration.observe(document, { subtree: true, childList: true, attributes: true });
}

async function expectTranslated(page: Page) {
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toHaveCount(0);
  const texts = await page.evaluate(() => globalThis.translatedTexts);
  expect(texts).not.toEqual([]);
  expect(texts.filter((text) => untranslatable.test(text))).toEqual([]);
}
