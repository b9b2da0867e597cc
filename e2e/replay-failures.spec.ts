import { expect } from '@playwright/test';
import type { Between } from './between.ts';
import { isRemote, test } from './fixtures.ts';
import { broken, rateLimited, refusal } from './replies.ts';
import { expectAccessible } from './pages/every-look.ts';
import { beginButton, openReplay, replayButton } from './pages/replays.ts';
import { tabTo } from './pages/tab-to.ts';
import { openWebhook, readWebhook } from './pages/webhooks.ts';

test.skip(isRemote, 'answers in the place of the API');

const asking = /^\/api\/v1\/webhooks\/[^/]+\/replays$/;
const reading = /^\/api\/v1\/replays\/[^/]+$/;
const cancelling = /^\/api\/v1\/replays\/[^/]+\/cancel$/;
const uuid = 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11';

test('a replay is followed until it is done, and then not asked about any longer', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  let done = 200;
  let asked = 0;
  between.answer('GET', reading, () => {
    asked += 1;
    return found({ ...replay, done, state: done < 312 ? 'running' : 'done' });
  });
  between.answer('POST', asking, ({ body }) =>
    isDryRun(body) ? counted(312) : { status: 201, body: { success: true, data: replay } },
  );
  const question = await openReplay(page, webhook);
  await question.getByRole('button', { name: 'Replay 312 events' }).click();
  const line = page.getByText(/^Replaying 19 Nov, 07:00 – 20 Nov 2026, 08:00 UTC: /);
  await expect(line).toHaveText(/200 of 312 queued$/);
  const bar = page.getByRole('progressbar', { name: 'Progress of the replay' });
  await expect(bar).toHaveAttribute('aria-valuetext', '200 of 312 queued');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden();
  done = 312;
  await expect(
    page.getByText('312 events are queued; they are sent after new events.').last(),
  ).toBeVisible();
  await expect(bar).toBeHidden();
  const before = asked;
  // The deliveries below are asked for on and on, and no less often.
  for (let round = 0; round < 2; round += 1) {
    await page.waitForResponse(/\/data\/webhooks\/[^/]+\/deliveries/);
  }
  expect(asked).toBe(before);
});

test('of what was asked one after the other, the latest answer stands', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  between.answer('POST', asking, async ({ body }) => {
    asked.push(body);
    if (isOfAll(body)) return counted(5);
    await released;
    return counted(99);
  });
  const question = await openReplay(page, webhook);
  await expect.poll(() => asked.length).toBe(1);
  await expect(beginButton(question)).toHaveAccessibleDescription(/still being counted/);
  await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
  release();
  await expect(question.getByRole('button', { name: 'Replay 5 events' })).toBeVisible();
  await expect(question.getByRole('status').filter({ hasText: '5 events would' })).toBeVisible();
  expect(asked).toMatchObject([{ status: 'failed' }, { status: 'all' }]);
});

test('refused for the rate, a replay counts down with the form kept, and begins once it may', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  let isRefused = true;
  between.answer('GET', reading, () => found(replay));
  between.answer('POST', asking, ({ body }) => {
    if (isDryRun(body)) return counted(12);
    return isRefused ? rateLimited(47) : { status: 201, body: { success: true, data: replay } };
  });
  await page.clock.install();
  const question = await openReplay(page, webhook);
  await question.getByRole('radio', { name: 'Last 7 days' }).check();
  await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
  await page.clock.runFor(400);
  const begin = question.getByRole('button', { name: 'Replay 12 events' });
  await begin.click();
  await expect(question.getByText(/Try again in 0:4\d$/)).toBeVisible();
  await expect(begin).toHaveAccessibleDescription(/Possible again in \d+ s/);
  await expect(question.getByRole('radio', { name: 'Last 7 days' })).toBeChecked();
  await expect(
    question.getByRole('radio', { name: 'All events, including delivered ones' }),
  ).toBeChecked();

  isRefused = false;
  await page.clock.fastForward('00:50');
  await expect(begin).not.toHaveAttribute('aria-disabled');
  await begin.click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`replay=${uuid}`));
});

test('events that could not be counted are counted again, and nothing begins before', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  between.answer('POST', asking, () => broken());
  const question = await openReplay(page, webhook);
  const notice = question.getByRole('status').filter({ hasText: 'could not be counted' });
  await expect(notice).toContainText('Request req-from-the-test');
  await expect(beginButton(question)).toHaveAccessibleDescription(/Count them again first/);
  between.answer('POST', asking, () => counted(1));
  await question.getByRole('button', { name: 'Count again' }).click();
  await expect(question.getByRole('button', { name: 'Replay 1 event' })).toBeVisible();
});

test('a replay without an answer may have begun, and a webhook that became inactive refuses it', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const answers = [
    refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' }),
    refusal(422, {
      code: 'VALIDATION_ERROR',
      message: 'The given data was invalid.',
      details: { webhook: ['This webhook is inactive. Resume it first.'] },
    }),
  ];
  between.answer('POST', asking, ({ body }) =>
    isDryRun(body) ? counted(3) : (answers.shift() ?? broken()),
  );
  const question = await openReplay(page, webhook);
  const begin = question.getByRole('button', { name: 'Replay 3 events' });
  await begin.click();
  await expect(question.getByText('It is unknown whether the replay began')).toBeVisible();
  await expect(question).toContainText('Trying again is safe');
  await expect(question).toContainText('Request req-from-the-test');
  await begin.click();
  await expect(question.getByText('The replay did not begin')).toBeVisible();
  await expect(question).toContainText('This webhook is inactive. Resume it first.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(replayButton(page)).toBeFocused();
});

test('a replay that runs already is not begun again: the form stays, and its progress is shown', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  between.answer('GET', reading, () => found(replay));
  between.answer('POST', asking, ({ body }) =>
    isDryRun(body)
      ? counted(312)
      : refusal(422, {
          code: 'VALIDATION_ERROR',
          message: 'The given data was invalid.',
          details: {
            replay: [
              `The same replay is running already: ${uuid}. Wait until it is done, or cancel it first.`,
            ],
          },
        }),
  );
  const question = await openReplay(page, webhook);
  await question.getByRole('radio', { name: 'Last 7 days' }).check();
  await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
  await question.getByRole('button', { name: 'Replay 312 events' }).click();
  const notice = question.getByRole('status').filter({ hasText: 'This replay is running already' });
  await expect(notice).toContainText(`The same replay is running already: ${uuid}. Wait until`);
  await expect(question.getByRole('radio', { name: 'Last 7 days' })).toBeChecked();
  await expect(
    question.getByRole('radio', { name: 'All events, including delivered ones' }),
  ).toBeChecked();
  await expectAccessible(page, 'a replay that runs already');

  await question.getByRole('button', { name: 'Show its progress' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`replay=${uuid}`));
  await expect(page.getByText(/200 of 312 queued$/)).toBeVisible();
});

test('cancelling a replay of everything asks first; a cancellation without an answer says so', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = { ...(await replayOf(api, webhook)), status_filter: 'all' };
  let isCancelled = false;
  const answers = [refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' })];
  between.answer('GET', reading, () =>
    found({ ...replay, state: isCancelled ? 'cancelled' : 'running' }),
  );
  between.answer('POST', cancelling, () => {
    const refused = answers.shift();
    isCancelled = refused === undefined;
    return refused ?? found({ ...replay, state: 'cancelled' });
  });
  await page.goto(`settings/webhooks/${webhook.uuid}?replay=${uuid}`);
  const cancel = page.getByRole('button', { name: 'Cancel replay' });
  await cancel.click();
  const question = page.getByRole('alertdialog', { name: 'Cancel this replay of everything?' });
  await expect(question).toContainText('200 of 312 queued.');
  await expect(question.getByRole('button', { name: 'Keep replaying' })).toBeFocused();
  await page.keyboard.press('Escape');
  // Its button is called the same until it is gone.
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();
  expect(answers).toHaveLength(1);

  await cancel.click();
  await question.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(page.getByText('It is unknown whether the replay was cancelled')).toBeVisible();
  await expect(question).toBeHidden();
  await cancel.click();
  await question.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(
    page.getByText('Replay cancelled: 200 of 312 events were queued.').last(),
  ).toBeVisible();
  await expect(page.getByText('It is unknown whether the replay was cancelled')).toBeHidden();
});

test('a replay that cannot be read keeps what it said, says so, and is read again', async ({
  api,
  between,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  between.answer('GET', reading, () => found(replay));
  await page.goto(`settings/webhooks/${webhook.uuid}?replay=${uuid}`);
  await expect(page.getByText(/200 of 312 queued$/)).toBeVisible();
  between.answer('GET', reading, () => broken());
  await expect(page.getByText('The replay could not be refreshed')).toBeVisible();
  await expect(page.getByText(/200 of 312 queued$/)).toBeVisible();
  between.answer('GET', reading, () => found({ ...replay, done: 300 }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/300 of 312 queued$/)).toBeVisible();
  await expect(page.getByText('The replay could not be refreshed')).toBeHidden();
});

test('a window is replayed and cancelled by keyboard alone, and each stop on the way is seen', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  let isCancelled = false;
  between.answer('GET', reading, () =>
    found({ ...replay, state: isCancelled ? 'cancelled' : 'running' }),
  );
  between.answer('POST', asking, ({ body }) =>
    isDryRun(body) ? counted(312) : { status: 201, body: { success: true, data: replay } },
  );
  between.answer('POST', cancelling, () => {
    isCancelled = true;
    return found({ ...replay, state: 'cancelled' });
  });
  await openWebhook(page, webhook);
  await tabTo(page, replayButton(page));
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Replay a window to ${webhook.name}` });
  const day = question.getByRole('radio', { name: 'Last 24 hours' });
  await expect(day).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(question.getByRole('radio', { name: 'Own window' })).toBeChecked();
  await page.keyboard.press('Tab');
  const from = question.getByLabel('From', { exact: true });
  await expect(from).toBeFocused();
  const before = await from.inputValue();
  await page.keyboard.press('ArrowDown');
  await expect(from).not.toHaveValue(before);
  // A date's parts and its calendar are stops as well, which the browser marks by itself.
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(question.getByRole('radio', { name: 'What failed' })).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
  await expect(question.getByRole('button', { name: 'Replay 312 events' })).toBeVisible();
  await tabTo(page, question.getByRole('button', { name: 'Replay 312 events' }));
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(replayButton(page)).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Cancel replay' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Replay cancelled: 200 of 312/).last()).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Dismiss' }));
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/replay=/);
});

test('the question for a window, a replay on its way, and how it ends are accessible', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  // Each look is judged four times.
  test.slow();
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  between.answer('POST', asking, () => counted(312));
  const question = await openReplay(page, webhook);
  await expect(question.getByText('312 events would be sent again.')).toBeVisible();
  await expectAccessible(page, 'replay a window');
  await question.getByRole('radio', { name: 'Own window' }).check();
  await question.getByLabel('From', { exact: true }).fill('2031-01-31T12:00');
  await beginButton(question).click();
  await expect(question.getByText(/in the future/)).toBeVisible();
  await expectAccessible(page, 'replay a window that is to come');
  for (const state of ['running', 'done', 'cancelled']) {
    between.answer('GET', reading, () => found({ ...replay, state }));
    await page.goto(`settings/webhooks/${webhook.uuid}?replay=${uuid}`);
    await expect(page.getByText(/200 (of 312|events are) /).last()).toBeVisible();
    await expectAccessible(page, `a replay that is ${state}`);
  }
});

/** One of 312 events on its way to this webhook, as the API tells it. */
async function replayOf(api: Parameters<typeof readWebhook>[0], webhook: { uuid: string }) {
  const { id } = await readWebhook(api, webhook.uuid);
  return {
    uuid,
    webhook_id: id,
    since: '2026-11-19T07:00:00.000+00:00',
    until: '2026-11-20T08:00:00.000+00:00',
    status_filter: 'failed',
    state: 'running',
    total: 312,
    done: 200,
    created_at: '2026-11-20T10:31:07.440+00:00',
  };
}

function found(replay: object): ReturnType<Parameters<Between['answer']>[2]> {
  return { status: 200, body: { success: true, data: replay } };
}

function counted(count: number): Awaited<ReturnType<typeof found>> {
  return { status: 200, body: { success: true, data: { count } } };
}

function isDryRun(body: unknown): boolean {
  return (body as { dry_run: boolean }).dry_run;
}

function isOfAll(body: unknown): boolean {
  return (body as { status: string }).status === 'all';
}
