import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { rowOf } from '../pages/api-keys.ts';
import { beginButton, chooseSince, followedReplay, replayButton } from '../pages/replays.ts';
import { mainAct, openTab, openWebhooks, readWebhook } from '../pages/webhooks.ts';
import { writeMessage } from '../helpers/write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

// The tests of the service show the same, and the journeys resume a webhook and replay its events.
test('a receiver that responds with 410 is not called again; after it is resumed, what it refused can be replayed, with the same webhook-id', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({
    url: `${receiver.url}/gone`,
    isActive: true,
    hasSecret: true,
  });
  const since = new Date();
  receiver.respondWith({ status: 410 }, { status: 204 });
  await writeMessage(api, 'The first.');
  const refused = await receiver.received(1);
  expect(refused.headers['webhook-replay']).toBeUndefined();
  await expect.poll(async () => (await readWebhook(api, webhook.uuid)).status).toBe('deactivated');
  await openWebhooks(page);
  await expect(rowOf(page, webhook.name)).toContainText('Deactivated');
  await page.getByRole('link', { name: webhook.name, exact: true }).click();
  await expect(page.getByText('Its server responded with 410 Gone.')).toBeVisible();
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
  const question = page.getByRole('dialog', { name: `Replay events to ${webhook.name}` });
  await chooseSince(question, since);
  await question.getByLabel('Until').fill(until.toISOString().slice(0, 23));
  await expect(beginButton(question)).toHaveText('Replay 1 event');
  await beginButton(question).click();
  const { headers, path } = await receiver.received(3);
  expect(path).toBe('/gone');
  expect(headers['webhook-id']).toBe(refused.headers['webhook-id']);
  expect(headers['webhook-replay']).toBe(await followedReplay(page));
});
