import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  askForRotation,
  choose,
  chooseSince,
  deliveriesOf,
  deliveryDrawer,
  expectAccessible,
  followedReplay,
  goTo,
  menuOf,
  openApiKeys,
  openDelivery,
  openReplay,
  openTab,
  readData,
  readSecretOnce,
  replayButton,
  rowOf,
  setActive,
  statusOf,
  textOf,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { ReceivedRequest } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { loseNextResponse, tokenIn } from '../pages/hold-next-response.ts';
import { addMember, changeRole, pageOf, sessionOf } from '../pages/people/members.ts';

const account = 'Lumen Ltd';

test.use({ accountName: account });
// A whole day of work in one test.
test.describe.configure({ timeout: 180_000 });

test('a day of support: keys that customers paste are found, rotated or requested, and a message that did not arrive is sent again', async ({
  api,
  browser,
  context,
  givenApiKey,
  givenWebhook,
  page: support,
  receiver,
  request,
  service,
}) => {
  const strong = await givenApiKey();
  const writing = await givenApiKey({ type: 'limited', scopes: ['messages:write'] });
  const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await addMember(service, { name: 'ann', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await context.addCookies((await sessionOf(service, sam)).cookies);

  await test.step('a key is found by what a customer pastes: its masked token, its last four characters, its ID', async () => {
    await openApiKeys(support);
    const search = support.getByRole('searchbox', { name: 'Search keys' });
    const lastFour = strong.token.slice(-4);
    for (const pasted of [`sk_live_…${lastFour}`, strong.uuid, `…${lastFour}`, lastFour]) {
      await search.fill(pasted);
      await expect(rowOf(support, small.name)).toBeHidden();
      await expect(rowOf(support, strong.name)).toBeVisible();
      await search.clear();
      await expect(rowOf(support, small.name)).toBeVisible();
    }
  });

  await test.step('support sees only the actions of the role, and who can do the others', async () => {
    await expect(support.getByRole('link', { name: 'Rotation requests' })).toBeVisible();
    await expectOnly(support, strong.name, {
      items: ['Request rotation', 'Copy key ID'],
      note: `Your role, Support, lets you rotate keys or request a rotation. An owner or an admin of ${account} can create, edit and revoke keys.`,
    });
  });

  await test.step('support rotates a key that is not stronger than its role, which ends no token', async () => {
    await choose(support, small.name, 'Rotate token');
    const question = support.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
    await expect(question.getByRole('radio')).toHaveCount(3);
    await expect(question.getByRole('radio', { name: 'Now' })).toHaveCount(0);
    await question.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
    const token = await readSecretOnce(support);
    await expect(menuOf(support, small.name)).toBeFocused();
    await expect(rowOf(support, small.name)).toContainText(token.slice(-4));
  });

  await test.step('for a stronger key support asks a member, gives a reason, and sees the deadline', async () => {
    await choose(support, strong.name, 'Request rotation');
    const dialog = support.getByRole('dialog', { name: `Request rotation of ${strong.name}` });
    await expect(dialog).toContainText('Nothing changes until the key is rotated');
    await expect(dialog).toContainText('after 72 hours');
    await dialog.getByRole('button', { name: 'Request rotation' }).click();
    await expect(dialog.getByText('Choose whom to ask.')).toBeVisible();
    await expect(dialog.getByText('Choose a reason.')).toBeVisible();
    await expectAccessible(support, 'request with errors', dialog);
    const note = 'Before Friday';
    await askForRotation(support, { member: 'ada', reason: 'The token is lost', note });
    await expect(dialog).toBeHidden();
    await expect(menuOf(support, strong.name)).toBeFocused();
    await expect(rowOf(support, strong.name)).toContainText(
      /You asked ada to rotate it by \d+ \w{3}, \d\d:\d\d/,
    );
  });

  const owner = await pageOf(browser, service, service.owner);
  const token =
    await test.step('the owner sees the request, rotates the key, even if a response is lost, and is the only one to see the token', async () => {
      return await rotateOnRequest(owner, request, strong);
    });
  await test.step('support sees that it is done, and never the token', async () => {
    await support.reload();
    await expect(rowOf(support, strong.name)).toContainText(token.slice(-4));
    await expect(rowOf(support, strong.name)).not.toContainText('to rotate it');
    await expect(support.locator('body')).not.toContainText(token);
  });

  await test.step('an owner lets support see more, and support then rotates the key that it had to request', async () => {
    await menuOf(support, writing.name).click();
    await expect(support.getByRole('menuitem')).toHaveText(['Request rotation', 'Copy key ID']);
    await support.keyboard.press('Escape');
    await goTo(support, 'Account');
    const access = support.locator('#support-access');
    await expect(access).toContainText('Only keys that can do no more than Support itself');
    await expect(support.getByText('Only owners can change these settings.')).toBeVisible();

    await goTo(owner, 'Account');
    const card = owner.getByRole('radiogroup', { name: /^New tokens that support/ });
    await card.getByRole('radio', { name: 'Webhook and bot scopes only' }).check();
    await owner.getByRole('button', { name: 'Save changes' }).click();
    await expect(owner.getByText('Saved. The changes apply immediately.')).toBeVisible();
    await owner.context().close();

    await support.reload();
    await expect(access).toContainText('Webhook and bot scopes only');
    await goTo(support, 'API keys');
    await choose(support, writing.name, 'Rotate token');
    await support.getByRole('button', { name: `Rotate ${writing.name}`, exact: true }).click();
    expect(await readSecretOnce(support)).toMatch(/^sk_live_/);
  });

  await test.step('support revokes a key after reporting that its token leaked', async () => {
    await choose(support, strong.name, 'Request rotation');
    await askForRotation(support, { member: 'ann', reason: 'The token may have leaked' });
    const offer = support.getByRole('alertdialog', { name: `Revoke ${strong.name}`, exact: true });
    await expect(offer).toContainText(`ann was asked to rotate ${strong.name}`);
    await offer.getByRole('textbox', { name: /^Type the name/ }).fill(strong.name);
    await offer.getByRole('button', { name: `Revoke ${strong.name}`, exact: true }).click();
    await expect(rowOf(support, strong.name)).toContainText(/Revoked.*by sam/);
    expect(await statusOf(request, token)).toBe(401);
  });

  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  const rows = deliveriesOf(support, webhook)
    .getByRole('row')
    .filter({ hasText: 'message.created' });
  await test.step('deliveries are shown as they happen, and older ones are loaded', async () => {
    const numbers = Array.from({ length: 20 }, (_, count) => `Number ${count}.`);
    await Promise.all(numbers.map(async (text) => await writeMessage(api, text)));
    await receiver.received(20);
    await goTo(support, 'Webhooks');
    await support.getByRole('link', { name: webhook.name, exact: true }).click();
    await openTab(support, 'Deliveries');
    await expect(rows).toHaveCount(20);
    await writeMessage(api, 'It arrives.');
    await receiver.received(21);
    const busy = { status: 503, headers: { 'retry-after': '900' }, body: 'Busy, come later.' };
    receiver.respondWith(busy, { status: 204 });
    await writeMessage(api, 'A private word.');
    await expect(rows.first()).toContainText(
      /Retrying in \d+ min503\d+ ms1\d+ \w{3}, \d\d:\d\d:\d\d/,
    );
    await expect(rows.nth(1)).toContainText(
      /^\d+ \w{3}, \d\d:\d\d:\d\d.*message\.createdDelivered204\d+ ms1–/,
    );
    await expectAccessible(support, 'deliveries', support.getByRole('main'));
    await expect(rows).toHaveCount(20);
    await support.getByRole('button', { name: 'Load older' }).click();
    await expect(rows).toHaveCount(22);
    await expect(support.getByRole('button', { name: 'Load older' })).toBeHidden();
  });

  await test.step('a delivery is found by its webhook-id, its response and its time', async () => {
    const search = support.getByRole('searchbox', { name: 'Search deliveries' });
    await search.fill(`webhook-id: ${idOf(await receiver.received(1))}`);
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('204');
    await search.fill('msg_791002fb');
    await expect(support.getByRole('heading', { name: /^Enter a whole ID/ })).toBeVisible();
    await support.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(rows).toHaveCount(22);
    await support.getByRole('combobox', { name: 'Time' }).click();
    await support.getByRole('option', { name: 'Custom' }).click();
    await support.getByLabel('Until').fill('2020-01-01T00:00');
    await expect(support.getByText('Choose a time after the start.')).toBeVisible();
    await support.getByLabel('From').fill('2019-01-01T00:00');
    await expect(support.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
    await support.getByRole('button', { name: 'Clear search and filters' }).click();
    await search.fill('503');
    await expect(rows.first()).toContainText('503');
    await expect(rows).toHaveCount(1);
  });

  await test.step('the refused delivery opens on the response, without what customers wrote, and is sent again', async () => {
    const drawer = await openDelivery(support, rows.first());
    await expect(drawer.getByText('The receiver responded with 503.')).toBeVisible();
    const response = drawer.getByRole('region', { name: 'Response 503' });
    await expect(response).not.toContainText('retry-after');
    await expect(drawer.getByText(/Ask an owner for access\.$/)).toBeVisible();
    await drawer.getByText('Request', { exact: true }).click();
    await expect(drawer.getByRole('region', { name: /^POST/ })).toContainText('webhook-id: ');
    await expect(drawer.getByText(/^The body is hidden: your role/)).toBeVisible();
    await expect(drawer).not.toContainText('A private word.');
    await expect(drawer.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
    await drawer.getByRole('button', { name: 'Retry delivery' }).click();
    expect(textOf(await receiver.received(23))).toBe('A private word.');
    await expect(drawer).toHaveAccessibleName('message.created Delivered after 2 attempts');
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(deliveryDrawer(support)).toBeHidden();
  });

  const before = receiver.requests.length;
  const since = new Date();
  await writeMessage(api, 'It arrived.');
  const arrived = await receiver.received(before + 1);
  await setActive(api, webhook, false);
  await writeMessage(api, 'Missed, one.');
  await writeMessage(api, 'Missed, two.');
  await setActive(api, webhook, true);
  const question = support.getByRole('dialog', { name: `Replay events to ${webhook.name}` });
  const heading = support.getByRole('heading', { name: 'Deliveries', exact: true });
  const followed =
    await test.step('what a paused webhook missed is counted and sent again', async () => {
      await openReplay(support, webhook);
      await chooseSince(question, since);
      await expect(question.getByText('2 events would be sent again.')).toBeVisible();
      expect(receiver.requests).toHaveLength(before + 1);
      await question.getByRole('button', { name: 'Replay 2 events' }).click();
      await expect(question).toBeHidden();
      await expect(replayButton(support)).toBeFocused();
      const uuid = await followedReplay(support);
      await receiver.received(before + 3);
      const sent = receiver.requests.slice(before + 1);
      expect(sent.map(textOf).toSorted()).toEqual(['Missed, one.', 'Missed, two.']);
      expect(sent.map(({ headers }) => headers['webhook-replay'])).toEqual([uuid, uuid]);
      return uuid;
    });

  await test.step('a reload still follows the replay; once the replay has ended, nothing is cancelled', async () => {
    const done = support.getByText('2 events were sent.').last();
    await expect(done).toBeVisible();
    await support.reload();
    await expect(done).toBeVisible();
    expect(await followedReplay(support)).toBe(followed);
    const statuses = async () => {
      const response = await api.get(`/api/v1/webhooks/${webhook.uuid}/deliveries`);
      const data = await readData<{ status: string }[]>(response);
      return [...new Set(data.map(({ status }) => status))];
    };
    await expect.poll(statuses).toEqual(['delivered']);
    await support.getByRole('button', { name: 'Cancel replay' }).click();
    await expect(support.getByText(/This replay has ended: nothing is waiting/)).toBeVisible();
    await expect(support.getByRole('button', { name: 'Cancel replay' })).toBeHidden();
    await expect(heading).toBeFocused();
  });

  await test.step('all events of a window are sent again, with the same webhook-ids', async () => {
    await replayButton(support).click();
    await chooseSince(question, since);
    await question.getByRole('radio', { name: 'All events, including delivered ones' }).check();
    await question.getByRole('button', { name: 'Replay 3 events' }).click();
    await receiver.received(before + 6);
    const again = receiver.requests.slice(before + 3);
    expect(again.map(idOf)).toContain(idOf(arrived));
    expect(again.map(idOf).toSorted()).toEqual(
      receiver.requests
        .slice(before, before + 3)
        .map(idOf)
        .toSorted(),
    );
    expect(await followedReplay(support)).not.toBe(followed);
    await support.getByRole('button', { name: 'Dismiss' }).click();
    await expect(support).not.toHaveURL(/replay=/);
    await expect(support.getByText(/events were sent/)).toHaveCount(0);
    await expect(heading).toBeFocused();
  });

  await test.step('a lowered role applies from the next action on', async () => {
    await goTo(support, 'API keys');
    await choose(support, small.name, 'Rotate token');
    const rotation = support.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
    // The preview has been read, so only the rotation is refused.
    await expect(rotation.getByText(/Works until/).first()).toBeVisible();
    await changeRole(service, { person: sam, role: 'viewer' });
    await rotation.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
    await expect(rotation).toContainText(`${small.name} was not rotated`);
    await expect(rotation).toContainText('You do not have permission');
    await rotation.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a viewer can only view, even at the URLs of forms', async () => {
    await support.goto('settings/api-keys');
    await expectOnly(support, small.name, {
      items: ['Copy key ID'],
      note: `Your role, Viewer, lets you view keys but not change them. An owner or an admin of ${account} can create, rotate and revoke keys.`,
    });
    await support.goto(`settings/webhooks/${webhook.uuid}/deliveries`);
    const drawer = await openDelivery(support, rows.first());
    await expect(drawer.getByText(/^The body is hidden: your role/)).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Send again' })).toHaveCount(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(replayButton(support)).toHaveCount(0);

    await support.goto('settings/api-keys/new');
    await expect(support.getByRole('heading', { name: 'You cannot create keys' })).toBeVisible();
    await expect(support.getByText(`An owner or an admin of ${account} can.`)).toBeVisible();
    await expect(support.getByRole('textbox')).toHaveCount(0);
    for (const [path, title] of [
      [`settings/api-keys/${small.uuid}/edit`, 'You cannot edit keys'],
      ['settings/webhooks/new', 'You cannot create webhooks'],
    ] as const) {
      const html = await (await support.request.get(path)).text();
      expect(html, path).toContain(`>${title}<`);
      expect(html, path).not.toMatch(/<(?:input|textarea)\b/);
    }
  });
});

/** In the open list, and on the key's page. */
async function expectOnly(
  page: Page,
  name: string,
  { items, note }: { items: string[]; note: string },
): Promise<void> {
  await expect(page.getByRole('complementary')).toContainText(account);
  await expect(page.getByRole('button', { name: /Switch account$/ })).toBeHidden();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden();
  await menuOf(page, name).click();
  await expect(page.getByRole('menuitem')).toHaveText(items);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/still has its initial token/)).toBeHidden();

  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit key' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Rotate token' })).toBeHidden();
  await goTo(page, 'API keys');
}

/** The owner has the list of keys open. Returns the token that only they see. */
async function rotateOnRequest(
  owner: Page,
  request: APIRequestContext,
  key: { name: string; token: string },
): Promise<string> {
  const asked = owner.getByRole('region', { name: 'Requests', exact: true });
  await expect(asked).toContainText(`sam asks you to rotate ${key.name}`);
  await expect(asked).toContainText('The token is lost. “Before Friday”');
  await expect(rowOf(owner, key.name)).toContainText('sam asked you to rotate it');
  await expectAccessible(owner, 'keys with a request received', owner.getByRole('main'));
  await asked.getByRole('button', { name: `Rotate and show token of ${key.name}` }).click();
  const question = owner.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(question).toContainText('sam requested this rotation.');
  await expectAccessible(owner, 'rotate on request', question);
  await question.getByRole('radio', { name: 'Now' }).check();
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  // The preview has been read, so the rotation is the only action that follows.
  await expect(question).toContainText('are rejected with 401 immediately');
  const lost = await loseNextResponse(owner);
  await rotate.click();
  await expect(question.getByRole('alert')).toContainText(`${key.name} was rotated`);
  const unseen = tokenIn(await lost.response);
  await expect(question).toContainText(unseen.slice(-4));
  await rotate.click();
  const shown = await readSecretOnce(owner);
  await expect(asked).toBeHidden();
  const tokens = [key.token, unseen, shown];
  const statuses = await Promise.all(tokens.map(async (token) => await statusOf(request, token)));
  expect(statuses).toEqual([401, 401, 200]);
  return shown;
}

function idOf({ headers }: ReceivedRequest): string {
  return String(headers['webhook-id']);
}
