import { expect } from '@playwright/test';
import {
  deliveriesOf,
  openDeliveries,
  readWebhook,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a delivery that was given up, one that is failing and a webhook that was deactivated come from what the receiver responds', async ({
  api,
  givenDelivery,
  signedIn: page,
}) => {
  const failing = await givenDelivery('failing');
  await openDeliveries(page, failing.webhook);
  await expect(deliveriesOf(page, failing.webhook)).toContainText('503');
  const deactivated = await givenDelivery('deactivated');
  expect(await readWebhook(api, deactivated.webhook.uuid)).toMatchObject({ status: 'deactivated' });
  const givenUp = await givenDelivery('given up');
  expect(givenUp.delivery).toMatchObject({ status: 'failed' });
});

test('a webhook that fails for five days is deactivated, as the clock of the tests moves', async ({
  api,
  control,
  givenDelivery,
}) => {
  const { webhook } = await givenDelivery('given up');
  const statusOf = async () => (await readWebhook(api, webhook.uuid)).status;
  expect(await statusOf()).not.toBe('deactivated');
  await control.moveClock({ ms: 5 * 24 * 60 * 60 * 1000 });
  await writeMessage(api, 'Is anybody there?');
  await expect.poll(statusOf).toBe('deactivated');
});

test('readSecretOnce throws the error that the page shows in place of a secret', async ({
  createWebhook,
}) => {
  await expect(createWebhook({ url: 'http://10.0.0.1/orders' })).rejects.toThrow(
    /^The page shows no secret, but: 10\.0\.0\.1 is not a public address/,
  );
});
