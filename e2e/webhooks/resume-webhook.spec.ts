import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import type { ApiProxy } from '../helpers/servers/api-proxy.ts';
import { isRemote, test } from '../fixtures.ts';
import { broken, rateLimited, refusal } from '../helpers/error-responses.ts';
import { writeMessage } from '../helpers/write-message.ts';
import { choose, menuOf, rowOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { mainAct, openWebhook, openWebhooks, readWebhook } from '../pages/webhooks.ts';

test.skip(isRemote, 'responds in place of the API');

const counting = /^\/api\/v1\/webhooks\/[^/]+\/backlog$/;
const changing = /^\/api\/v1\/webhooks\/[^/]+$/;

test('resuming offers to deliver or skip the events since the pause, and counts them again on request', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, webhook.uuid);
  apiProxy.respondTo('GET', counting, () => broken());
  await openWebhook(page, webhook);
  await expectAccessible(page, 'paused');
  await mainAct(page, 'Resume').click();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await expect(question.getByText('could not be counted')).toBeVisible();
  await expectAccessible(page, 'resume without a number', question);
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

  const changes = passChanges(apiProxy);
  const choices = [
    ['Skip them', 'skip'],
    ['Deliver them', 'deliver'],
  ] as const;
  for (const [choice, backlog] of choices) {
    await mainAct(page, 'Resume').click();
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await question.getByRole('radio', { name: choice }).check();
    await question.getByRole('button', { name: `Resume and ${backlog}` }).click();
    await expect(question).toBeHidden();
    // An earlier toast may be fading out.
    const toast = page.getByText(`${webhook.name} is active`).filter({ visible: true });
    await expect(toast.last()).toBeVisible();
    await expect(mainAct(page, 'Pause')).toBeFocused();
    expect(changes.splice(0)).toEqual([{ is_active: true, backlog }]);
    expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'active' });
    await mainAct(page, 'Pause').click();
    // From then on the page knows since when the webhook was paused, and asks about the events
    // since then.
    await expect(page.getByText(/^Paused since \d/)).toBeVisible();
    expect(changes.splice(0)).toEqual([{ is_active: false }]);
  }
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
    await expect(again).toHaveAccessibleDescription(/Possible again in \d+ s/);
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

test('a webhook that somebody else resumed meanwhile is shown as active, without an error', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, webhook.uuid);
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

for (const { act, isActive } of [
  { act: 'Pause', isActive: true },
  { act: 'Resume', isActive: false },
]) {
  test(`a webhook that was deleted elsewhere leaves the list on ${act}, without an error`, async ({
    api,
    givenWebhook,
    guard,
    signedIn: page,
  }) => {
    guard.allow(/status of 404/);
    const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
    if (!isActive) await pause(api, uuid);
    await openWebhooks(page);
    await expect(rowOf(page, name)).toBeVisible();
    expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
    await choose(page, name, act);
    await expect(page.getByText(`${name} was deleted`)).toBeVisible();
    await expect(rowOf(page, name)).toBeHidden();
    await expect(page.getByText(/was not (paused|resumed)/)).toBeHidden();
    await expect(page.getByRole('dialog')).toBeHidden();
  });
}

test('a rate-limited resume counts down and keeps the choice', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, webhook.uuid);
  countAs(apiProxy, 12);
  apiProxy.respondTo('PATCH', changing, () => rateLimited(47));
  await page.clock.install();
  await openWebhook(page, webhook);
  await mainAct(page, 'Resume').click();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await question.getByRole('radio', { name: 'Skip them' }).check();
  const resume = question.getByRole('button', { name: 'Resume and skip' });
  await resume.click();
  await expect(question.getByText(/Try again in 0:4\d$/)).toBeVisible();
  await expect(resume).toHaveAttribute('aria-disabled', 'true');
  await expect(question.getByRole('radio', { name: 'Skip them' })).toBeChecked();
  apiProxy.reset();
  countAs(apiProxy, 12);
  await page.clock.fastForward('00:50');
  await expect(resume).not.toHaveAttribute('aria-disabled');
  await resume.click();
  await expect(question).toBeHidden();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'active' });
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
      'The latest attempt failed, but it does not count: it was a test or a retry that somebody requested, the error was ours, or it was made before the webhook was resumed.',
    ),
  ).toBeVisible();
});

async function pause(api: APIRequestContext, uuid: string) {
  await api.patch(`/api/v1/webhooks/${uuid}`, { data: { is_active: false } });
  return await readWebhook(api, uuid);
}

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
