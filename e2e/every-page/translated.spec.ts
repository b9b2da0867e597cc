import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { dayMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { choose, openApiKeys, rowOf } from '../pages/api-keys.ts';
import { mainAct, openTab } from '../pages/webhooks.ts';
import { translatedTexts, translatePages } from '../pages/translate.ts';

/** What must never reach a translator: tokens, secrets, ids, and the last four letters of tokens. */
const untranslatable =
  /sk_live_|whsec_|[\da-f]{8}-[\da-f]{4}-|…[A-Za-z\d_-]{4}\b|\b(msg|req)_|:\/\/|\/api\/v1\//;

for (const how of ['replaces', 'moves'] as const) {
  test(`a person works on translated pages to the end, and no token, secret or id is translated, if the translator ${how} texts`, async ({
    createApiKey,
    createWebhook,
    receiver,
    rotateApiKey,
    signedIn: page,
  }) => {
    test.slow();
    await translatePages(page, how);

    const { name, token } = await createApiKey({
      expiresAt: new Date(Date.now() + 5 * dayMs),
    });
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
      for (const path of [
        'settings/rotation-requests',
        'settings/team',
        'settings/audit-log',
        'settings/account',
        'settings/profile',
        'settings/security',
      ]) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        await expectTranslated(page);
      }
    });
  });
}

async function expectTranslated(page: Page) {
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toHaveCount(0);
  const texts = await translatedTexts(page);
  expect(texts).not.toEqual([]);
  expect(texts.filter((text) => untranslatable.test(text))).toEqual([]);
}
