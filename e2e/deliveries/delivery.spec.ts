import { expect } from '@playwright/test';
import {
  deliveriesOf,
  mainAct,
  openDelivery,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a delivery that does not exist says in its drawer that it could not be loaded', async ({
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const webhook = await givenWebhook();
  await page.goto(`settings/webhooks/${webhook.uuid}/deliveries?delivery=${crypto.randomUUID()}`);
  await expect(
    page.getByRole('dialog').getByText('The delivery could not be loaded'),
  ).toBeVisible();
});

test('a retry that is refused because the webhook was paused in the meantime shows the webhook as paused', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Where is it?');
  await receiver.received(1);
  await page.goto(`settings/webhooks/${webhook.uuid}/deliveries`);
  const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '204' });
  const drawer = await openDelivery(page, row);
  await api.patch(`/api/v1/webhooks/${webhook.uuid}`, { data: { is_active: false } });
  const again = drawer.getByRole('button', { name: 'Send again' });
  await again.click();
  await expect(drawer.getByText('The delivery was not resent')).toBeVisible();
  // By itself, the page would read the webhook again only after 30 seconds.
  await expect(again).toBeDisabled();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
});
