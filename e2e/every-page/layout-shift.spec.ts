import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { docsPages } from '../pages/docs-pages.ts';
import { expectNoLayoutShift, watchLayoutShifts } from '../pages/checks/layout-shifts.ts';

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

test('on a slow phone no page moves while it loads, nor when a link leads to it', async ({
  api,
  givenApiKey,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  // Each page loads over a slow network, at a quarter of the processor's speed.
  test.slow();
  const key = await givenApiKey();
  await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, { data: {} });
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await api.post(`/api/v1/webhooks/${webhook.uuid}/test`);
  await receiver.received(1);

  await watchLayoutShifts(page);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 });

  const whenAtRest = () => page.waitForLoadState('networkidle');
  for (const path of [
    'settings/api-keys',
    `settings/api-keys/${key.uuid}`,
    `settings/api-keys/${key.uuid}/edit`,
    'settings/api-keys/new',
    'settings/webhooks',
    `settings/webhooks/${webhook.uuid}`,
    `settings/webhooks/${webhook.uuid}/deliveries`,
    `settings/webhooks/${webhook.uuid}/settings`,
    `settings/webhooks/${webhook.uuid}/edit`,
    `settings/webhooks/${webhook.uuid}/signature`,
    'settings/webhooks/new',
    'settings/events',
    'settings/team',
    'settings/audit-log',
    'settings/account',
    'settings/profile',
    'settings/security',
    ...docsPages.map(([docsPath]) => docsPath),
  ]) {
    await page.goto(path);
    await whenAtRest();
    await expectNoLayoutShift(page, path);
  }

  await page.goto('settings/webhooks');
  for (const [link, path] of [
    [webhook.name, `settings/webhooks/${webhook.uuid}`],
    ['Settings', `settings/webhooks/${webhook.uuid}/settings`],
    ['Edit webhook', `settings/webhooks/${webhook.uuid}/edit`],
    [webhook.name, `settings/webhooks/${webhook.uuid}/settings`],
    ['Webhooks', 'settings/webhooks'],
    ['Create webhook', 'settings/webhooks/new'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: link, exact: true }).first().click();
    await expect(page).toHaveURL(path);
    await whenAtRest();
    await expectNoLayoutShift(page, `the link ${link}`);
  }
});
