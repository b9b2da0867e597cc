import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';
import { deliveriesOf, openDelivery } from '../pages/deliveries.ts';
import { replayButton } from '../pages/replays.ts';
import { figureOf, mainAct, openTab } from '../pages/webhooks.ts';
import { writeMessage } from '../helpers/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

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

test('a retry that is refused because the webhook was paused meanwhile shows the webhook as paused', async ({
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
  await expect(drawer.getByText('It was not sent again')).toBeVisible();
  // By itself, the page would read the webhook again only after 30 seconds.
  await expect(again).toBeDisabled();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
});

test.describe('members with fewer rights', () => {
  test('a member without payload access sees no bodies; support can send again, a viewer cannot', async ({
    api,
    browser,
    givenWebhook,
    receiver,
    service,
  }) => {
    const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
    await writeMessage(api, 'A private word.');
    await receiver.received(1);
    for (const role of ['support', 'viewer'] as const) {
      const person = await addMember(service, { name: role, role });
      const storageState = await sessionOf(service, person);
      const context = await browser.newContext({ baseURL: service.home, storageState });
      const page = await context.newPage();
      await page.goto(`settings/webhooks/${webhook.uuid}`);
      await expect(figureOf(page, 'Success of attempts, 24 h')).toHaveText([
        '100 %',
        '1 of 1 attempt',
      ]);
      await openTab(page, 'Deliveries');
      const row = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: '204' });
      const drawer = await openDelivery(page, row);
      await expect(drawer.getByText(/^The body is not shown: your role/)).toBeVisible();
      await expect(drawer).not.toContainText('A private word.');
      await drawer.getByText('Response', { exact: true }).click();
      await expect(drawer.getByText(/Ask an owner to show it\.$/)).toBeVisible();
      await expect(drawer.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
      const allowed = role === 'support' ? 1 : 0;
      await expect(drawer.getByRole('button', { name: 'Send again' })).toHaveCount(allowed);
      await drawer.getByRole('button', { name: 'Close' }).click();
      await expect(drawer).toBeHidden();
      await expect(replayButton(page)).toHaveCount(allowed);
      await context.close();
    }
  });
});
