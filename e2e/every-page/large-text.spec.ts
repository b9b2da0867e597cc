import usual from '#playwright.config.ts';
import { expect } from '@playwright/test';
import { fullTest, test } from '../fixtures.ts';
import { scrolledSideways } from '../pages/checks/accessibility.ts';

const usualOptions = usual.use?.launchOptions;
test.use({
  viewport: { width: 1440, height: 900 },
  launchOptions: {
    ...usualOptions,
    // The text size in a person's browser settings: twice the usual one.
    args: [...(usualOptions?.args ?? []), '--blink-settings=defaultFontSize=32'],
  },
});

fullTest(
  'with text twice as large, no page with a table scrolls sideways',
  async ({ api, givenApiKey, givenWebhook, signedIn: page }) => {
    const key = await givenApiKey();
    const rotated = await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, {
      data: { grace_period_seconds: 7200 },
    });
    expect(rotated.status()).toBe(201);
    const webhook = await givenWebhook({ isActive: true, hasSecret: true });
    const tested = await api.post(`/api/v1/webhooks/${webhook.uuid}/test`, {
      data: { type: 'message.created' },
    });
    expect(tested.ok()).toBe(true);
    for (const [path, table] of [
      ['api-keys', /^API keys of /],
      ['webhooks', /^Webhooks of /],
      [`webhooks/${webhook.uuid}/deliveries`, /^Deliveries of /],
      ['audit-log', /^Audit entries/],
      ['team', /^Members of /],
    ] as const) {
      await page.goto(`settings/${path}`);
      await expect(page.getByRole('table', { name: table })).toBeVisible();
      expect.soft(await scrolledSideways(page), path).toEqual([]);
    }
  },
);
