import { expect } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import { rowOf } from '../pages/api-keys.ts';
import { deliveriesOf, openDeliveries } from '../pages/deliveries.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { beginButton, chooseSince, followedReplay, replayButton } from '../pages/replays.ts';
import { mainAct, openTab, openWebhooks, readWebhook } from '../pages/webhooks.ts';
import { writeMessage } from '../support/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

fullTest(
  'a receiver that answers 410 is not called again; resumed, what it refused can be replayed, under the same webhook-id',
  async ({ api, givenWebhook, receiver, signedIn: page }) => {
    const webhook = await givenWebhook({
      url: `${receiver.url}/gone`,
      isActive: true,
      hasSecret: true,
    });
    const since = new Date();
    receiver.answer({ status: 410 }, { status: 204 });
    await writeMessage(api, 'The first.');
    const refused = await receiver.received(1);
    expect(refused.headers['webhook-replay']).toBeUndefined();
    await expect
      .poll(async () => (await readWebhook(api, webhook.uuid)).status)
      .toBe('deactivated');
    await openWebhooks(page);
    await expect(rowOf(page, webhook.name)).toContainText('Deactivated');
    await page.getByRole('link', { name: webhook.name, exact: true }).click();
    await expect(page.getByText('Its server answered 410 Gone.')).toBeVisible();
    await openTab(page, 'Deliveries');
    await expect(replayButton(page)).toHaveAccessibleDescription(/Resume it first/);
    const until = new Date();
    await givenWebhook({ url: `${receiver.url}/other`, isActive: true, hasSecret: true });
    await writeMessage(api, 'The second.');
    await receiver.received(2);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/gone', '/other']);

    await mainAct(page, 'Resume').click();
    const resume = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
    await resume.getByRole('radio', { name: 'Skip them' }).check();
    await resume.getByRole('button', { name: 'Resume and skip' }).click();
    await expect(mainAct(page, 'Pause')).toBeFocused();
    await replayButton(page).click();
    const question = page.getByRole('dialog', { name: `Replay a window to ${webhook.name}` });
    await chooseSince(question, since);
    await question.getByLabel('Until').fill(until.toISOString().slice(0, 23));
    await expect(beginButton(question)).toHaveText('Replay 1 event');
    await beginButton(question).click();
    const { headers, path } = await receiver.received(3);
    expect(path).toBe('/gone');
    expect(headers['webhook-id']).toBe(refused.headers['webhook-id']);
    expect(headers['webhook-replay']).toBe(await followedReplay(page));
  },
);

test('a webhook’s page shows its deliveries as they happen, and loads older ones', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openDeliveries(page, webhook);
  await expect(page.getByText('No deliveries yet')).toBeVisible();
  await writeMessage(api, 'The first.');
  const rows = deliveriesOf(page, webhook).getByRole('row').filter({ hasText: 'message.created' });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(
    /^\d+ \w{3}, \d\d:\d\d:\d\d.*message\.createdDelivered204\d+ ms1–/,
  );

  receiver.answer({ status: 503, headers: { 'retry-after': '900' } }, { status: 204 });
  await writeMessage(api, 'Refused.');
  await expect(rows.first()).toContainText(
    /Retrying in \d+ min503\d+ ms1\d+ \w{3}, \d\d:\d\d:\d\d/,
  );
  await expectAccessible(page, 'deliveries', page.getByRole('main'));
  await Promise.all(
    Array.from({ length: 20 }, async (_, count) => await writeMessage(api, `Number ${count}.`)),
  );
  await receiver.received(22);
  await expect(rows).toHaveCount(20);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(rows).toHaveCount(22);
  await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden();
  const search = page.getByRole('searchbox', { name: 'Search deliveries' });
  await search.fill('503');
  await expect(rows).toHaveCount(1);
  await search.fill(`webhook-id: ${String(receiver.requests[0]?.headers['webhook-id'])}`);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('204');
  await search.fill('msg_791002fb');
  await expect(page.getByRole('heading', { name: 'Not an ID or a status code' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows).toHaveCount(22);

  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Custom' }).click();
  await page.getByLabel('Until').fill('2020-01-01T00:00');
  await expect(page.getByText('Choose a time after the start.')).toBeVisible();
  await page.getByLabel('From').fill('2019-01-01T00:00');
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();

  // The figures are those of the same deliveries.
  await openTab(page, 'Overview');
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health.getByRole('link', { name: 'Delivered 21', exact: true })).toBeVisible();
  await expect(health.getByRole('link', { name: 'Retried 1', exact: true })).toBeVisible();
});
