import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import type { Between } from './between.ts';
import { isRemote, test } from './fixtures.ts';
import { broken, rateLimited, refusal } from './replies.ts';
import { choose, menuOf, rowOf } from './pages/api-keys.ts';
import { mainAct, openWebhook, openWebhooks, readWebhook } from './pages/webhooks.ts';

test.skip(isRemote, 'answers in the place of the API');

const counting = /^\/api\/v1\/webhooks\/[^/]+\/replays$/;
const changing = /^\/api\/v1\/webhooks\/[^/]+$/;

for (const [choice, backlog] of [
  ['Deliver them', 'deliver'],
  ['Skip them', 'skip'],
] as const) {
  test(`resuming offers what became of the events since, with their number: ${backlog}`, async ({
    api,
    between,
    givenWebhook,
    signedIn: page,
  }) => {
    const webhook = await givenWebhook({ isActive: true, hasSecret: true });
    const { inactive_since: since } = await pause(api, webhook.uuid);
    const asked = countAs(between, 1906);
    const changes = passChanges(between);
    await openWebhook(page, webhook);
    await mainAct(page, 'Resume').click();

    const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
    await expect(question).toContainText('1,906 matching events');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(asked).toEqual([{ since, status: 'failed', dry_run: true }]);
    await question.getByRole('radio', { name: choice }).check();
    await question.getByRole('button', { name: `Resume and ${backlog}` }).click();

    await expect(question).toBeHidden();
    await expect(page.getByText(`${webhook.name} is active`)).toBeVisible();
    await expect(mainAct(page, 'Pause')).toBeFocused();
    expect(changes).toEqual([{ is_active: true, backlog }]);
    expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'active' });
  });
}

test('without any event since, a webhook resumes without a question', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  countAs(between, 0);
  const changes = passChanges(between);
  await openWebhooks(page);
  await choose(page, name, 'Pause');
  await expect(rowOf(page, name)).toContainText(/PausedSince \d/);
  await expect.poll(async () => (await readWebhook(api, uuid)).is_active).toBe(false);

  await choose(page, name, 'Resume');
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(page.getByRole('dialog', { name: `Resume ${name}` })).toBeHidden();
  await expect.poll(async () => (await readWebhook(api, uuid)).is_active).toBe(true);
  expect(changes).toEqual([{ is_active: false }, { is_active: true }]);
});

test('where the number cannot be read, resuming says so and goes without it', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, uuid);
  between.answer('POST', counting, () => broken());
  const changes = passChanges(between);
  await openWebhooks(page);
  await choose(page, name, 'Resume');
  const question = page.getByRole('dialog', { name: `Resume ${name}` });
  const notice = question.getByRole('status').filter({ hasText: 'could not be counted' });
  await expect(notice).toContainText('Request req-from-the-test');
  await expect(question.getByRole('radio')).toHaveCount(0);

  await question.getByRole('button', { name: `Resume ${name}` }).click();
  await expect(question).toBeHidden();
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(menuOf(page, name)).toBeFocused();
  expect(changes).toEqual([{ is_active: true }]);
});

test('counted again, the number comes with its choice', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, uuid);
  between.answer('POST', counting, () => broken());
  await openWebhook(page, { name, uuid });
  await page.getByRole('button', { name: `Resume ${name}` }).click();
  const question = page.getByRole('dialog', { name: `Resume ${name}` });
  await expect(question.getByText('could not be counted')).toBeVisible();
  countAs(between, 1);
  await question.getByRole('button', { name: 'Count again' }).click();
  await expect(question).toContainText('1 matching event');
  await expect(question.getByRole('radio')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: `Resume ${name}` })).toBeFocused();
  expect(await readWebhook(api, uuid)).toMatchObject({ status: 'paused' });
});

test('refused for the rate, resuming counts down and keeps the choice', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, webhook.uuid);
  countAs(between, 12);
  between.answer('PATCH', changing, () => rateLimited(47));
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

  between.reset();
  countAs(between, 12);
  await page.clock.fastForward('00:50');
  await expect(resume).not.toHaveAttribute('aria-disabled');
  await resume.click();
  await expect(question).toBeHidden();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'active' });
});

test('a resumption without an answer says that it may have happened, with its request, and can be left', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await pause(api, webhook.uuid);
  countAs(between, 3);
  between.answer('PATCH', changing, () =>
    refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' }),
  );
  await openWebhook(page, webhook);
  await mainAct(page, 'Resume').click();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await question.getByRole('button', { name: 'Resume and deliver' }).click();
  await expect(
    question.getByText(`It is unknown whether ${webhook.name} was resumed`),
  ).toBeVisible();
  await expect(question).toContainText('Trying again is safe. Request req-from-the-test');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(mainAct(page, 'Resume')).toBeFocused();
  await expectPaused(page);
});

async function expectPaused(page: Page): Promise<void> {
  await expect(page.getByText(/^Paused since \d/)).toBeVisible();
}

async function pause(api: APIRequestContext, uuid: string) {
  await api.patch(`/api/v1/webhooks/${uuid}`, { data: { is_active: false } });
  return await readWebhook(api, uuid);
}

/** Answers how many events there were; fills with what was asked. */
function countAs(between: Between, count: number): unknown[] {
  const asked: unknown[] = [];
  between.answer('POST', counting, ({ body }) => {
    asked.push(body);
    return { status: 200, body: { success: true, data: { count } } };
  });
  return asked;
}

/** Lets every change through; fills with what was sent. */
function passChanges(between: Between): unknown[] {
  const sent: unknown[] = [];
  between.answer('PATCH', changing, async ({ body, pass }) => {
    sent.push(body);
    return await pass();
  });
  return sent;
}
