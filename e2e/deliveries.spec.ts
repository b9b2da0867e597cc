import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { rowOf } from './pages/api-keys.ts';
import { expectAccessible } from './pages/every-look.ts';
import { mainAct, openWebhook, openWebhooks, readWebhook } from './pages/webhooks.ts';
import { writeMessage } from './write-message.ts';

test.skip(isRemote, 'needs a service that reaches this machine');

test('a webhook made in the form is delivered, signed with the very secret that was shown', async ({
  api,
  createWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name, secret } = await createWebhook({ url: `${receiver.url}/orders` });
  await writeMessage(api, 'It was due on Monday.');

  const request = await receiver.received(1);
  expect(request).toMatchObject({ method: 'POST', path: '/orders' });
  expect(receiver.verify(request, secret)).toBe(true);
  expect(receiver.verify(request, `whsec_${btoa('another secret of 32 bytes......')}`)).toBe(false);
  expect(receiver.verify({ ...request, body: `${request.body} ` }, secret)).toBe(false);
  expect(JSON.parse(request.body)).toMatchObject({
    type: 'message.created',
    data: { message: { text: 'It was due on Monday.' } },
  });

  await expect(async () => {
    await openWebhooks(page);
    await expect(rowOf(page, name)).toContainText(/\d+ s ago|just now/i, { timeout: 1000 });
  }).toPass();
  await expect(rowOf(page, name)).toContainText('Active');
});

test('a receiver that answers 410 is not called again, and the list says Deactivated', async ({
  api,
  createWebhook,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name } = await createWebhook({ url: `${receiver.url}/gone` });
  receiver.answer({ status: 410 }, { status: 204 });
  await writeMessage(api, 'The first.');
  await receiver.received(1);
  await expect(async () => {
    await openWebhooks(page);
    await expect(rowOf(page, name)).toContainText('Deactivated', { timeout: 1000 });
  }).toPass();

  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByText('Its server answered 410 Gone.')).toBeVisible();
  await givenWebhook({ url: `${receiver.url}/other`, isActive: true, hasSecret: true });
  await writeMessage(api, 'The second.');
  await receiver.received(2);
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/gone', '/other']);
});

for (const [choice, backlog] of [
  ['Deliver them', 'deliver'],
  ['Skip them', 'skip'],
] as const) {
  test(`of two events missed while paused, "${choice}" keeps its word`, async ({
    api,
    createWebhook,
    receiver,
    signedIn: page,
  }) => {
    const { name, secret } = await createWebhook({ url: receiver.url });
    const uuid = await uuidOf(api, name);
    await openWebhook(page, { name, uuid });
    await mainAct(page, 'Pause').click();
    await expect.poll(async () => (await readWebhook(api, uuid)).status).toBe('paused');
    await writeMessage(api, 'Missed, one.');
    await writeMessage(api, 'Missed, two.');

    await mainAct(page, 'Resume').click();
    const question = page.getByRole('dialog', { name: `Resume ${name}` });
    await expect(question).toContainText('2 matching events');
    expect(receiver.requests).toHaveLength(0);
    await question.getByRole('radio', { name: choice }).check();
    await question.getByRole('button', { name: `Resume and ${backlog}` }).click();
    await expect(question).toBeHidden();

    if (backlog === 'deliver') await receiver.received(2);
    await writeMessage(api, 'After.');
    const count = backlog === 'deliver' ? 3 : 1;
    await receiver.received(count);
    const missed = backlog === 'deliver' ? ['Missed, one.', 'Missed, two.'] : [];
    expect(receiver.requests.map(textOf).toSorted()).toEqual(['After.', ...missed]);
    expect(receiver.requests.every((request) => receiver.verify(request, secret))).toBe(true);
  });
}

test('a webhook’s page tells of its deliveries as they happen, and loads older ones', async ({
  api,
  givenWebhook,
  receiver,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  const table = page.getByRole('table', { name: `Deliveries of ${webhook.name}` });
  await expect(page.getByText('No deliveries yet')).toBeVisible();

  await writeMessage(api, 'The first.');
  const rows = table.getByRole('row').filter({ hasText: 'message.created' });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(/Delivered.*message\.created.*1.*204/);

  receiver.answer({ status: 503 });
  await writeMessage(api, 'Refused.');
  await expect(rows.first()).toContainText(/Next in \d+ s.*503/);
  await expectAccessible(page, 'deliveries');
  receiver.answer({ status: 204 });
  for (let count = 0; count < 20; count += 1) await writeMessage(api, `Number ${count}.`);
  // Refused once, the second comes again.
  await receiver.received(22);
  await expect(rows).toHaveCount(20);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(rows).toHaveCount(22);
  await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden();
});

test('a test is sent from a webhook’s page, which tells what became of it', async ({
  api,
  givenWebhook,
  guard,
  receiver,
  signedIn: page,
}) => {
  guard.allow(/status of 422/);
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  const send = page.getByRole('button', { name: 'Send test' });
  await send.click();
  await expect(
    page.getByRole('status').filter({ hasText: 'your server answered 204' }),
  ).toBeVisible();
  expect(JSON.parse((await receiver.received(1)).body)).toMatchObject({ type: 'webhook.test' });
  await expect(page.getByRole('row', { name: /webhook\.test/ })).toContainText('Delivered');

  receiver.answer({ status: 500 });
  await send.click();
  await expect(page.getByText(/The test was not delivered\. .*500/)).toBeVisible();
  await expectAccessible(page, 'what became of a test');
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ failure_count: 0 });

  await mainAct(page, 'Pause').click();
  await expect(mainAct(page, 'Resume')).toBeVisible();
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expect(send).toHaveAccessibleDescription(/Resume it first/);
});

function textOf({ body }: { body: string }): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}

async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const { data } = (await (await api.get('/api/v1/webhooks')).json()) as {
    data: { uuid: string; name: string }[];
  };
  return data.find((webhook) => webhook.name === name)?.uuid ?? 'none';
}
