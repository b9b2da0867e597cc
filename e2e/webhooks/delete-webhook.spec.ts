import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { choose, menuOf, rowOf } from '../pages/api-keys.ts';
import { openDeletion, openWebhook, openWebhooks } from '../pages/webhooks.ts';

test('a webhook that somebody else deletes while the question is open leaves the list like any other', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  const question = await openDeletion(page, name);
  expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
  await question.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await expect(rowOf(page, name)).toBeHidden();
  await expect(question).toBeHidden();
});

for (const { act, dialog, press } of [
  { act: 'Resume', dialog: /^Resume /, press: 'Resume and deliver' },
  { act: 'Regenerate secret', dialog: /^Regenerate secret of /, press: 'Regenerate secret' },
]) {
  test(`a webhook that somebody else deletes while the dialog of ${act} is open leaves the list, and the dialog closes`, async ({
    api,
    apiProxy,
    givenWebhook,
    signedIn: page,
  }) => {
    const { uuid: other, name: otherName } = await givenWebhook();
    const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
    if (act === 'Resume') {
      await api.patch(`/api/v1/webhooks/${uuid}`, { data: { is_active: false } });
      // So that there is something to ask.
      apiProxy.respondTo('GET', /^\/api\/v1\/webhooks\/[^/]+\/backlog$/, () => ({
        status: 200,
        body: { success: true, data: { count: 3, failed: 0, since: null } },
      }));
    }
    await openWebhooks(page);
    await choose(page, name, act);
    const question = page.getByRole('dialog', { name: dialog });
    await expect(question).toBeVisible();
    expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
    await question.getByRole('button', { name: press, exact: true }).click();
    await expect(page.getByText(`${name} was deleted`)).toBeVisible();
    await expect(question).toBeHidden();
    await expect(rowOf(page, name)).toBeHidden();
    await expect(menuOf(page, otherName)).toBeFocused();
    expect((await api.get(`/api/v1/webhooks/${other}`)).status()).toBe(200);
  });
}

test('a test of a webhook that somebody else deleted is not sent, and its page says that it was deleted', async ({
  api,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  await page.getByRole('button', { name: 'Send test' }).click();
  const question = page.getByRole('dialog', { name: /^Send a test to / });
  await expect(question).toBeVisible();
  expect((await api.delete(`/api/v1/webhooks/${webhook.uuid}`)).status()).toBe(204);
  await question.getByRole('button', { name: 'Send test', exact: true }).click();
  await expect(page.getByText('This webhook was deleted')).toBeVisible();
  await expect(question).toBeHidden();
});

test('a webhook that somebody else deletes before its set-up is finished leaves the list, without an error', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  await openWebhooks(page);
  await expect(rowOf(page, name)).toBeVisible();
  expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
  await choose(page, name, 'Finish set-up');
  await expect(page.getByText(`${name} was deleted`)).toBeVisible();
  await expect(rowOf(page, name)).toBeHidden();
  await expect(page.getByText(/^No new secret was created/)).toBeHidden();
});
