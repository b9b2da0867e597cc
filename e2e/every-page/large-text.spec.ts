import usual from '#playwright.config.ts';
import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { runAdmin } from '../helpers/operator.ts';
import { scrolledSideways } from '../pages/checks/accessibility.ts';

const usualOptions = usual.use?.launchOptions;
test.use({
  launchOptions: {
    ...usualOptions,
    // The text size in a person's browser settings: twice the usual one.
    args: [...(usualOptions?.args ?? []), '--blink-settings=defaultFontSize=32'],
  },
});

test('with text twice as large, no page of an account scrolls sideways, wide or on a phone', async ({
  api,
  givenApiKey,
  givenWebhook,
  service,
  signedIn: page,
}) => {
  test.skip(isRemote, 'runs commands of the operator');
  const { account, worker } = service;
  if (account === null || worker === null) throw new Error('the service runs elsewhere');
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
  await runAdmin(worker.server, 'add-support', `priya@${account.domain}`);
  for (const [path, shown] of [
    ['api-keys', key.name],
    ['api-keys/new', 'Scopes'],
    [`api-keys/${key.uuid}`, 'Created'],
    [`api-keys/${key.uuid}/edit`, 'Scopes'],
    ['webhooks', webhook.name],
    ['webhooks/new', 'Events'],
    [`webhooks/${webhook.uuid}`, 'Deliveries'],
    [`webhooks/${webhook.uuid}/deliveries`, 'webhook.test'],
    [`webhooks/${webhook.uuid}/settings`, 'Signing secret'],
    [`webhooks/${webhook.uuid}/edit`, 'Events'],
    ['audit-log', key.name],
    ['team', 'priya'],
    ['account', 'Support access'],
    ['profile', 'Email'],
    ['security', 'Password'],
    ['rotation-requests', 'Requests'],
  ] as const) {
    await page.goto(`settings/${path}`);
    await expect(page.getByRole('main').getByText(shown).first()).toBeAttached();
    for (const width of [1440, 1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await scrolledSideways(page), `${path} at ${width} px`).toEqual([]);
    }
  }
});
