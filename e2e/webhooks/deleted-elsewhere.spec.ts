import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  mainAct,
  menuOf,
  openTab,
  openWebhook,
  openWebhooks,
  rowOf,
  setActive,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a webhook that someone else deletes leaves the list at the next act on it, the dialog of that act closes, and no error is shown', async ({
  api,
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const { name: next } = await givenWebhook();
  for (const { act, press, isActive = true } of [
    { act: 'Delete', press: /^Delete / },
    { act: 'Pause' },
    { act: 'Resume', isActive: false },
    { act: 'Resume', isActive: false, press: 'Resume and deliver' },
    { act: 'Regenerate secret', press: 'Regenerate secret' },
    { act: 'Finish set-up' },
  ]) {
    await test.step(`${act}, ${press ? 'in its dialog' : 'in the menu'}`, async () => {
      const isSetUp = act !== 'Finish set-up';
      const webhook = await givenWebhook({ isActive: isSetUp, hasSecret: isSetUp });
      if (!isActive) await setActive(api, webhook, false);
      if (act === 'Resume' && press) {
        // So that there is something to ask.
        apiProxy.respondTo('GET', /^\/api\/v1\/webhooks\/[^/]+\/backlog$/, () => ({
          status: 200,
          body: { success: true, data: { count: 3, failed: 0, since: null } },
        }));
      }
      await openWebhooks(page);
      await expect(rowOf(page, webhook.name)).toBeVisible();
      const remove = async () => {
        expect((await api.delete(`/api/v1/webhooks/${webhook.uuid}`)).status()).toBe(204);
      };
      if (!press) await remove();
      await choose(page, webhook.name, act);
      const question = page.getByRole('dialog').or(page.getByRole('alertdialog'));
      if (press) {
        await expect(question).toBeVisible();
        await remove();
        await question.getByRole('button', { name: press }).click();
      }
      // A deletion is what the person wanted.
      if (act !== 'Delete') {
        await expect(page.getByText(`${webhook.name} was deleted`)).toBeVisible();
      }
      await expect(rowOf(page, webhook.name)).toBeHidden();
      await expect(question).toBeHidden();
      await expect(page.getByText(/was not |^No new secret was created/)).toBeHidden();
      if (press) await expect(menuOf(page, next)).toBeFocused();
      apiProxy.reset();
    });
  }
});

test('the page of a webhook that was deleted elsewhere says so and offers no action on it: once it is read again, after Pause, and after a test', async ({
  api,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const main = page.getByRole('main');
  await page.clock.install();
  for (const notice of [
    // The deliveries are refetched first.
    async () => {
      await openTab(page, 'Deliveries');
      await expect(page.getByRole('heading', { name: 'No deliveries yet' })).toBeVisible();
      return async () => await page.clock.runFor(4000);
    },
    async () => async () => await mainAct(page, 'Pause').click(),
    async () => {
      await page.getByRole('button', { name: 'Send test' }).click();
      const dialog = page.getByRole('dialog', { name: /^Send a test to / });
      await expect(dialog).toBeVisible();
      return async () =>
        await dialog.getByRole('button', { name: 'Send test', exact: true }).click();
    },
  ]) {
    const webhook = await givenWebhook({ isActive: true, hasSecret: true });
    await openWebhook(page, webhook);
    const meet = await notice();
    expect((await api.delete(`/api/v1/webhooks/${webhook.uuid}`)).status()).toBe(204);
    await meet();
    await expect(main.getByText('This webhook was deleted')).toBeVisible();
    await expect(main.getByRole('heading', { level: 1, name: webhook.name })).toBeVisible();
    await expect(main.getByRole('button')).toHaveCount(0);
    await expect(main.getByRole('link', { name: 'Deliveries' })).toBeHidden();
    await expect(page.getByText(/was not paused/)).toBeHidden();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await expectAccessible(page, 'deleted webhook');
  await main.getByRole('link', { name: 'Go to webhooks' }).click();
  await expect(page).toHaveURL('settings/webhooks');
});

test('changes to a webhook that was deleted elsewhere are kept in the form, which says that it was deleted', async ({
  api,
  givenWebhook,
  guard,
  named,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const webhook = await givenWebhook();
  await openWebhooks(page);
  await choose(page, webhook.name, 'Edit webhook');
  const name = page.getByRole('textbox', { name: 'Name' });
  const renamed = named('Renamed');
  await name.fill(renamed);
  expect((await api.delete(`/api/v1/webhooks/${webhook.uuid}`)).status()).toBe(204);
  await page.getByRole('button', { name: 'Save changes' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('The webhook was not changed')).toBeVisible();
  await expect(main.getByText('It no longer exists. Someone may have deleted it.')).toBeVisible();
  await expect(name).toHaveValue(renamed);
});
