import { expect } from '@playwright/test';
import {
  beginButton,
  expectAccessible,
  openReplay,
  readWebhook,
  replayButton,
} from 'conversation-service-playwright-kit';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { ApiProxy, ProxyResponse } from '../helpers/servers/api-proxy.ts';
import { test } from '../fixtures.ts';
import { broken, refusal } from '../helpers/error-responses.ts';

const asking = /^\/api\/v1\/webhooks\/[^/]+\/replays$/;
const reading = /^\/api\/v1\/replays\/[^/]+$/;
const cancelling = /^\/api\/v1\/replays\/[^/]+\/cancel$/;
const uuid = 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11';

test('events are counted again if need be, the latest response counts, and a replay is followed until it is done', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  await page.clock.install();
  apiProxy.respondTo('POST', asking, () => broken());
  const question = await openReplay(page, webhook);
  const notice = question.getByRole('status').filter({ hasText: 'could not be counted' });
  await expect(notice).toContainText('Request ID req-from-the-test');
  await expect(beginButton(question)).toHaveAccessibleDescription(/Count them again first/);
  apiProxy.respondTo('POST', asking, () => counted(1));
  await question.getByRole('button', { name: 'Count again' }).click();
  await expect(question.getByRole('button', { name: 'Replay 1 event' })).toBeVisible();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const counts: unknown[] = [];
  apiProxy.respondTo('POST', asking, async ({ body }) => {
    if (!isDryRun(body)) return { status: 201, body: { success: true, data: replay } };
    counts.push(body);
    if (isOfAll(body)) return counted(312);
    await released;
    return counted(99);
  });
  const limit = 'as far back as events are kept';
  await expect(question, 'they are kept for a day at least').not.toContainText(limit);
  await question.getByRole('radio', { name: 'Last 7 days' }).check();
  await expect(question).toContainText(limit);
  await expect.poll(() => counts.length).toBe(1);
  await expect(beginButton(question)).toHaveAccessibleDescription(/still being counted/);
  await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
  release();
  await expect(question.getByRole('button', { name: 'Replay 312 events' })).toBeVisible();
  await expect(question.getByRole('status').filter({ hasText: '312 events would' })).toBeVisible();
  expect(counts).toMatchObject([{ status: 'failed' }, { status: 'all' }]);

  let done = 200;
  let reads = 0;
  apiProxy.respondTo('GET', reading, () => {
    reads += 1;
    return found({ ...replay, done, state: done < 312 ? 'running' : 'done' });
  });
  await question.getByRole('button', { name: 'Replay 312 events' }).click();
  const line = page.getByText(/^Replaying 19 Nov, 07:00 – 20 Nov 2026, 08:00 UTC: /);
  await expect(line).toHaveText(/200 of 312 sent$/);
  const bar = page.getByRole('progressbar', { name: 'Progress of the replay' });
  await expect(bar).toHaveAttribute('aria-valuetext', '200 of 312 sent');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden();
  done = 312;
  await page.clock.runFor(3000);
  await expect(page.getByText('312 events were sent.').last()).toBeVisible();
  await expect(bar).toBeHidden();
  const before = reads;
  // The deliveries below are still read just as often.
  for (let round = 0; round < 2; round += 1) {
    const read = page.waitForResponse(/\/data\/listDeliveries\?/);
    await page.clock.runFor(31_000);
    await read;
  }
  expect(reads).toBe(before);
});

test('a replay that does not begin, or may have begun, says so with the form kept, and leads to the one that runs', async ({
  api,
  apiProxy,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = await replayOf(api, webhook);
  apiProxy.respondTo('GET', reading, () => found(replay));
  const responses = [
    refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' }),
    invalid({ webhook: ['This webhook is inactive. Resume it first.'] }),
    invalid({ replay: [`The same replay is already running: ${uuid}. Wait until it is done.`] }),
  ];
  apiProxy.respondTo('POST', asking, ({ body }) =>
    isDryRun(body) ? counted(312) : (responses.shift() ?? broken()),
  );
  const question = await openReplay(page, webhook);
  const begin = question.getByRole('button', { name: 'Replay 312 events' });
  await begin.click();
  await expect(
    question.getByText('We could not confirm whether the replay was started'),
  ).toBeVisible();
  await expect(question).toContainText('Trying again is safe');
  await expect(question).toContainText('Request ID req-from-the-test');
  await begin.click();
  await expect(question.getByText('The replay was not started')).toBeVisible();
  await expect(question).toContainText('This webhook is inactive. Resume it first.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(replayButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  const week = question.getByRole('radio', { name: 'Last 7 days' });
  const all = question.getByRole('radio', { name: 'All events, including delivered ones' });
  await week.check();
  await all.check();
  await begin.click();
  const notice = question.getByRole('status').filter({ hasText: 'This replay is already running' });
  await expect(notice).toContainText('Wait until it is done, or cancel it first.');
  await expect(notice).not.toContainText(uuid);
  await expect(week).toBeChecked();
  await expect(all).toBeChecked();
  await question.getByRole('button', { name: 'Show its progress' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`replay=${uuid}`));
  await expect(page.getByText(/200 of 312 sent$/)).toBeVisible();
});

test('a replay that cannot be read keeps what it said; cancelling one of everything asks first, and says if the response is lost', async ({
  api,
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const replay = { ...(await replayOf(api, webhook)), status_filter: 'all' };
  let isCancelled = false;
  const responses = [refusal(503, { code: 'UNAVAILABLE', message: 'Not now.' })];
  apiProxy.respondTo('POST', cancelling, () => {
    const refused = responses.shift();
    isCancelled = refused === undefined;
    return refused ?? found({ ...replay, state: 'cancelled' });
  });
  apiProxy.respondTo('GET', reading, () => found(replay));
  await page.goto(`settings/webhooks/${webhook.uuid}/deliveries?replay=${uuid}`);
  await expect(page.getByText(/200 of 312 sent$/)).toBeVisible();
  apiProxy.respondTo('GET', reading, () => broken());
  await expect(page.getByText('The replay could not be refreshed')).toBeVisible();
  await expect(page.getByText(/200 of 312 sent$/)).toBeVisible();
  apiProxy.respondTo('GET', reading, () =>
    found({ ...replay, done: 300, state: isCancelled ? 'cancelled' : 'running' }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/300 of 312 sent$/)).toBeVisible();
  await expect(page.getByText('The replay could not be refreshed')).toBeHidden();
  await expectAccessible(page, 'a replay that is running', page.getByRole('main'));

  const cancel = page.getByRole('button', { name: 'Cancel replay' });
  await cancel.click();
  const question = page.getByRole('alertdialog', { name: 'Cancel this replay of all events?' });
  await expect(question).toContainText('300 of 312 sent.');
  await expect(question.getByRole('button', { name: 'Keep replaying' })).toBeFocused();
  await expectAccessible(page, 'cancel a replay', question);
  await page.keyboard.press('Escape');
  // Its button keeps its label until it is removed.
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();
  expect(responses).toHaveLength(1);

  const unknown = page.getByText('We could not confirm whether the replay was cancelled');
  await cancel.click();
  await question.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(unknown).toBeVisible();
  await expect(question).toBeHidden();
  await cancel.click();
  await question.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(
    page.getByText(/^Replay cancelled: [23]00 of 312 events were queued\.$/).last(),
  ).toBeVisible();
  await expect(unknown).toBeHidden();
});

/** A replay of 312 events to this webhook, as the API returns it. */
async function replayOf(
  api: Parameters<typeof readWebhook>[0],
  webhook: { uuid: string },
): Promise<Replay> {
  const { id } = await readWebhook(api, webhook.uuid);
  return {
    uuid,
    webhook_id: id,
    since: '2026-11-19T07:00:00.000+00:00',
    until: '2026-11-20T08:00:00.000+00:00',
    status_filter: 'failed',
    include_pending: false,
    include_earlier: false,
    state: 'running',
    total: 312,
    done: 200,
    waiting: 0,
    created_at: '2026-11-20T10:31:07.440+00:00',
  };
}

function found(replay: object): ReturnType<Parameters<ApiProxy['respondTo']>[2]> {
  return { status: 200, body: { success: true, data: replay } };
}

function counted(count: number): Awaited<ReturnType<typeof found>> {
  const others = { failed: count, missed: 0, delivered: 0, pending: 0, before_creation: 0 };
  return { status: 200, body: { success: true, data: { count, ...others } } };
}

function invalid(details: Record<string, string[]>): ProxyResponse {
  const message = 'The given data was invalid.';
  return refusal(422, { code: 'VALIDATION_ERROR', message, details });
}

function isDryRun(body: unknown): boolean {
  return (body as { dry_run: boolean }).dry_run;
}

function isOfAll(body: unknown): boolean {
  return (body as { status: string }).status === 'all';
}
