import { expect } from '@playwright/test';
import { openApiKeys, rowOf } from 'conversation-service-playwright-kit';
import { newMethods, newStatics } from '#scripts/browser/new-features.ts';
import { test } from '../fixtures.ts';

const newFeatures = [
  ...[...newStatics].map((feature) => {
    const [owner = '', name = ''] = feature.split('.');
    return { owner, name };
  }),
  ...newMethods.map(({ owner, name }) => ({ owner, name })),
];

test('keys and webhooks can be created, and pages read, in the oldest supported browsers', async ({
  createApiKey,
  createWebhook,
  rotateApiKey,
  signedIn: page,
}) => {
  // Without all that such a browser lacks of the classes that it has.
  await page.addInitScript((features) => {
    const classes = globalThis as unknown as Record<string, { prototype?: object } | undefined>;
    for (const { owner, name } of features) {
      Reflect.deleteProperty(classes[owner] ?? {}, name);
      Reflect.deleteProperty(classes[owner]?.prototype ?? {}, name);
    }
  }, newFeatures);

  const { name } = await createApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await rotateApiKey(name);
  await createWebhook();
  await openApiKeys(page);
  await rowOf(page, name).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.goto('settings/audit-log');
  await expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible();
  await page.goto('settings/security');
  await expect(page.getByText('This browser')).toBeVisible();
});
