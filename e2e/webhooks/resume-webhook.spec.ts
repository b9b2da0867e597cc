import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  mainAct,
  menuOf,
  openWebhook,
  openWebhooks,
  readWebhook,
  rowOf,
  setActive,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { ApiProxy } from '../helpers/servers/api-proxy.ts';
import { test } from '../fixtures.ts';
import { broken, rateLimited, refusal } from '../helpers/error-responses.ts';

const counting = /^\/api\/v1\/webhooks\/[^/]+\/backlog$/;
const changing = /^\/api\/v1\/webhooks\/[^/]+$/;

// The journey of the first day delivers and skips them.
test('resuming offers to deliver or skip the events since the pause, and counts them again on request; after a lost response its outcome is unknown', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await setActive(api, webhook, false);
  apiProxy.respondTo('GET', counting, () => broken());
  await openWebhook(page, webhook);
  await expectAccessible(page, 'paused');
  await mainAct(page, 'Resume').click();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await expect(question.getByText('could not be counted')).toBeVisible();
  const asked = countAs(apiProxy, 1906);
  await question.getByRole('button', { name: 'Count again' }).click();
  await expect(question).toContainText('1,906 matching events');
  await expect(question.getByRole('radio')).toHaveCount(2);
  expect(asked).toHaveLength(1);
  await expectAccessible(page, 'resume', question);
  await page.keyboard.press('Escape');
  await expect(mainAct(page, 'Resume')).toBeFocused();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'paused' });

  await test.step('after a lost response, the result is shown as unknown', async () => {
    const away = refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' });
    apiProxy.respondTo('PATCH', changing, () => away);
    await mainAct(page, 'Resume').click();
    await question.getByRole('button', { name: 'Resume and deliver' }).click();
    const unknown = question.getByText(`We could not confirm whether ${webhook.name} was resumed`);
    await expect(unknown).toBeVisible();
    await expect(question).toContainText('Trying again is safe. Request ID req-from-the-test');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(mainAct(page, 'Resume')).toBeFocused();
    await expect(page.getByText(/^Paused since \d/)).toBeVisible();
  });
});

test('resuming asks about the events since, also before the response to the pause', async ({
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const asked = countAs(apiProxy, 3);
  const held = Promise.withResolvers<void>();
  apiProxy.respondTo('PATCH', changing, async ({ pass }) => {
    await held.promise;
    return await pass();
  });
  await openWebhook(page, webhook);
  await mainAct(page, 'Pause').click();
  await mainAct(page, 'Resume').click();
  held.resolve();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await expect(question).toContainText('3 matching events');
  expect(asked).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(mainAct(page, 'Resume')).toBeFocused();
});

test('in the list a rate-limited pause is undone, and resuming asks only if there is a choice', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const row = rowOf(page, name);
  await page.clock.install();
  await openWebhooks(page);

  await test.step('a rate-limited pause shows its countdown', async () => {
    apiProxy.respondTo('PATCH', changing, () => rateLimited(47));
    await choose(page, name, 'Pause');
    await expect(page.getByText(/^Too many requests\. Try again in \d+:\d\d$/)).toBeVisible();
    await expect(page.getByText(`${name} was not paused.`)).toBeVisible();
    await expect(row).toContainText('Active');
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toHaveAccessibleDescription(/Try again in \d+ s/);
    await page.clock.fastForward('01:01');
    await expect(page.getByText(`${name} was not paused`, { exact: true })).toBeVisible();
    await expect(again).not.toHaveAttribute('aria-disabled');
    expect(await readWebhook(api, uuid)).toMatchObject({ status: 'active' });
  });

  const changes = passChanges(apiProxy);
  const question = page.getByRole('dialog', { name: `Resume ${name}` });
  await test.step('if no event happened since the pause, resuming asks nothing', async () => {
    countAs(apiProxy, 0);
    await choose(page, name, 'Pause');
    await expect(row).toContainText(/PausedSince \d/);
    await expect.poll(async () => (await readWebhook(api, uuid)).is_active).toBe(false);
    await expectAccessible(page, 'webhooks with a toast');
    await choose(page, name, 'Resume');
    await expect(row).toContainText('Active');
    await expect(question).toBeHidden();
    await expect.poll(async () => (await readWebhook(api, uuid)).is_active).toBe(true);
    const resumed = { is_active: true, backlog: 'deliver' };
    expect(changes.splice(0)).toEqual([{ is_active: false }, resumed]);
  });

  await test.step('if the number of events cannot be read, the dialog says so and offers no choice', async () => {
    await choose(page, name, 'Pause');
    await expect(row).toContainText(/PausedSince \d/);
    apiProxy.respondTo('GET', counting, () => broken());
    await choose(page, name, 'Resume');
    const notice = question.getByRole('status').filter({ hasText: 'could not be counted' });
    await expect(notice).toContainText('Request ID req-from-the-test');
    await expect(question.getByRole('radio')).toHaveCount(0);
    await question.getByRole('button', { name: `Resume ${name}` }).click();
    await expect(question).toBeHidden();
    await expect(row).toContainText('Active');
    await expect(menuOf(page, name)).toBeFocused();
    expect(changes.splice(0)).toEqual([{ is_active: false }, { is_active: true }]);
  });
});

test('a webhook that someone else resumed in the meantime is shown as active, without an error', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await setActive(api, webhook, false);
  await openWebhook(page, webhook);
  apiProxy.respondTo('GET', counting, async () => {
    await api.patch(`/api/v1/webhooks/${webhook.uuid}`, { data: { is_active: true } });
    return { status: 200, body: { success: true, data: { count: 0, failed: 0, since: null } } };
  });
  const changes = passChanges(apiProxy);
  await mainAct(page, 'Resume').click();
  await expect(page.getByText(`${webhook.name} is active`).last()).toBeVisible();
  await expect(mainAct(page, 'Pause')).toBeVisible();
  await expect(page.getByText(`${webhook.name} was not resumed`)).toBeHidden();
  expect(changes).toEqual([{ is_active: true, backlog: 'deliver' }]);
});

test('a failure from before a resumption is not counted, and is not called a test', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  receiver.respondWith({ status: 500 });
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await writeMessage(api, 'Where is it?');
  await receiver.received(1);
  await openWebhook(page, webhook);
  await expect(page.getByText(/^1 attempt has failed since \d+ \w+ \d{4}, /)).toBeVisible();
  await mainAct(page, 'Pause').click();
  await mainAct(page, 'Resume').click();
  await expect(page.getByText('No failures', { exact: true })).toBeVisible();
  await expect(
    page.getByText(
      'The latest attempt failed, but it does not count: it was a test or a retry that someone requested, the error was ours, or it was made before the webhook was resumed.',
    ),
  ).toBeVisible();
});

/** Responds with the number of events; collects the requests. */
function countAs(apiProxy: ApiProxy, count: number): unknown[] {
  const asked: unknown[] = [];
  apiProxy.respondTo('GET', counting, ({ path }) => {
    asked.push(path);
    return { status: 200, body: { success: true, data: { count, failed: 0, since: null } } };
  });
  return asked;
}

/** Lets every change through; collects what was sent. */
function passChanges(apiProxy: ApiProxy): unknown[] {
  const sent: unknown[] = [];
  apiProxy.respondTo('PATCH', changing, async ({ body, pass }) => {
    sent.push(body);
    return await pass();
  });
  return sent;
}
