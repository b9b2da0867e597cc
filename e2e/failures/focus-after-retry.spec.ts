import { expect } from '@playwright/test';
import { openTab, openWebhook, rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { broken, refusal } from '../helpers/error-responses.ts';

const list = /^\/api\/v1\/webhooks\?/;
const unavailable = () =>
  refusal(503, { code: 'UNAVAILABLE', message: 'The service cannot be reached.' });

test('the button that tries again does not lose the keyboard’s position when it disappears', async ({
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of (500|503)/);
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const title = page.getByRole('heading', { level: 1 });

  await test.step('after a read that failed, and after an outage', async () => {
    for (const [response, label] of [
      [broken, 'Try again'],
      [unavailable, 'Try now'],
    ] as const) {
      apiProxy.respondTo('GET', list, response);
      await page.goto('settings/webhooks');
      const retry = page.getByRole('main').getByRole('button', { name: label });
      await expect(retry).toBeVisible();
      apiProxy.reset();
      await retry.press('Enter');
      await expect(rowOf(page, name)).toBeVisible();
      await expect(title).toBeFocused();
    }
  });

  await test.step('after an action that failed, its own button has the focus', async () => {
    apiProxy.respondTo('PATCH', /^\/api\/v1\/webhooks\//, broken);
    await openWebhook(page, { name, uuid });
    await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();
    apiProxy.reset();
    await retry.press('Enter');
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeFocused();
  });

  await test.step('in a dialog, the focus stays in the dialog', async () => {
    await page.getByRole('button', { name: 'Resume', exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    await openTab(page, 'Deliveries');
    apiProxy.respondTo('POST', /\/replays/, broken);
    await page.getByRole('button', { name: /^Replay/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Replay events to ${name}` });
    const retry = dialog.getByRole('button', { name: 'Count again' });
    await expect(retry).toBeVisible();
    apiProxy.reset();
    await retry.press('Enter');
    await expect(retry).toBeHidden();
    await expect(dialog).toBeFocused();
  });
});
