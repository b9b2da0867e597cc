import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { mainAct, openWebhook, rowOf } from 'conversation-service-playwright-kit';
import { askOwnerForRotation } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, pageOf, sessionOf } from '../pages/people/members.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('on a phone, the actions of a list are on the line of its title, a checkbox is beside the first line of its label, and a toast replaces the one before it and does not cover the buttons of a dialog', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.clock.install();
  await page.goto('settings/webhooks');
  const title = await boxOf(page.getByRole('heading', { level: 1, name: 'Webhooks' }));
  const create = page.getByRole('link', { name: 'Create webhook' }).first();
  expect((await boxOf(create)).y).toBeLessThan(title.y + title.height);

  await create.click();
  const boxes = page.locator('input[name=events]');
  await expect(boxes.first()).toBeVisible();
  const offsets = await boxes.evaluateAll((all) =>
    all.map((box) => {
      const label = document.getElementById(box.getAttribute('aria-labelledby') ?? '');
      const line = label?.getClientRects()[0];
      const middleOf = ({ top, height }: DOMRect) => top + height / 2;
      return line === undefined ? null : middleOf(line) - middleOf(box.getBoundingClientRect());
    }),
  );
  for (const offset of offsets) expect(Math.abs(offset ?? Number.NaN)).toBeLessThan(3);

  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: webhook.name, exact: true }).click();
  await expect(mainAct(page, 'Pause')).toBeVisible();
  // From now on the time of a toast does not pass by itself.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await mainAct(page, 'Pause').click();
  const toast = page.getByText(`${webhook.name} is paused`);
  await page.clock.runFor(500);
  await expect(toast).toBeVisible();
  await mainAct(page, 'Resume').click();
  await page.clock.runFor(500);
  const next = page.getByText(`${webhook.name} is active`);
  await expect(next).toBeVisible();
  await expect(toast).toBeHidden();

  await page.getByRole('button', { name: `Actions for ${webhook.name}` }).click();
  await page.clock.runFor(500);
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await page.clock.runFor(500);
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: /^Delete/ });
  await expect(confirm).toBeVisible();
  await expect(next).toBeVisible();
  const isOnTop = await confirm.evaluate((button) => {
    const { left, right, top, height } = button.getBoundingClientRect();
    const at = (x: number) => document.elementFromPoint(x, top + height / 2);
    return [left + 8, (left + right) / 2, right - 8].every((x) => button.contains(at(x)));
  });
  expect(isOnTop).toBe(true);
});

test('on a phone, a button beside the search shows and hides the filters, of which those that are set are visible, and says how many are set', async ({
  givenApiKey,
  givenWebhook,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const { uuid } = await givenWebhook();
  const toggle = page.getByRole('button', { name: /^Filters/ });
  for (const { list, label, set } of [
    { list: 'settings/api-keys', label: 'Status', set: 'status=active' },
    { list: 'settings/audit-log', label: 'Action', set: 'action=api_key' },
    { list: `settings/webhooks/${uuid}/deliveries`, label: 'Event', set: 'event=message.created' },
  ]) {
    const filter = page.getByRole('combobox', { name: label });
    await page.goto(`${list}?${set}`);
    await expect(toggle).toHaveAccessibleName('Filters, 1 set');
    await expect(filter).toBeVisible();
    await toggle.click();
    await expect(filter).toBeHidden();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await toggle.click();
    await expect(filter).toBeVisible();
  }

  await page.goto('settings/api-keys');
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(name);
  await expect(page).toHaveURL(/q=/);
  await expect(toggle, 'the search is no filter').toHaveAccessibleName('Filters');
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeHidden();
});

test('on a phone, a list says what never happened to a key or a webhook, the palette shows the whole name of a webhook, and the page of the webhook begins with what its secret needs', async ({
  givenApiKey,
  givenWebhook,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  const unseen = await givenWebhook({ isActive: true });
  await page.goto('settings/api-keys');
  await expect(rowOf(page, key.name).getByText('No successful call')).toBeVisible();
  await page.goto('settings/webhooks');
  const never = rowOf(page, webhook.name).getByText('Never triggered');
  await expect(never.filter({ visible: true })).toHaveCount(1);

  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const found = palette.getByRole('option', { name: webhook.name });
  const hidden = await found
    .getByText(webhook.name, { exact: true })
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(hidden).toBeLessThanOrEqual(0);
  const close = palette.getByRole('button', { name: 'Close' });
  await expectTouchable(close);
  await close.click();
  await expect(palette).toBeHidden();

  await openWebhook(page, unseen);
  const secret = await boxOf(page.getByText('The signing secret was never shown'));
  const state = await boxOf(page.getByText('Nothing has been sent yet'));
  expect(secret.y).toBeLessThan(state.y);
});

test('on a phone, keys can be selected with a finger, and the buttons of a dialog that is higher than the screen stay in view and cover no field that has the focus', async ({
  givenApiKey,
  signedIn: page,
}) => {
  await givenApiKey();
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto('settings/api-keys');
  const box = page.locator('label').filter({ has: page.getByRole('checkbox') });
  await expectTouchable(box.first());
  await box.first().click();
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: 'Rotate…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Rotate \d+ keys$/ });
  const buttons = [/^Cancel$/, /^Rotate/].map((name) => dialog.getByRole('button', { name }));
  for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 });

  // The preview moves the fields below it when it has loaded.
  await expect(dialog.getByRole('list', { name: 'Calls that would end, by key' })).toBeVisible();
  const confirmation = dialog.getByRole('textbox', { name: /^Type these words/ });
  await confirmation.focus();
  const field = await boxOf(confirmation);
  for (const button of buttons) {
    await expect(button).toBeInViewport({ ratio: 1 });
    expect((await boxOf(button)).y).toBeGreaterThanOrEqual(field.y + field.height);
  }
});

test('on a phone, the rows of a list are as high as those of the skeleton before them', async ({
  api,
  givenApiKey,
  givenWebhook,
  receiver,
  request,
  service,
  signedIn: page,
}) => {
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const { cookies: asker } = await sessionOf(service, sam);
  const { uuid } = await givenApiKey();
  await askOwnerForRotation(request, { service, asker, uuid });
  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await api.post(`/api/v1/webhooks/${webhook.uuid}/test`);
  await receiver.received(1);
  for (const { from, link, list } of [
    { from: 'settings/webhooks', link: 'Team', list: 'Members' },
    { from: 'settings/webhooks', link: 'Audit log', list: 'Audit entries' },
    { from: 'settings/api-keys', link: 'Rotation requests', list: 'Requests' },
    { from: `settings/webhooks/${webhook.uuid}`, link: 'Deliveries', list: 'Deliveries' },
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(from);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const isPage = (url: URL) => url.searchParams.has('_rsc');
    await page.route(isPage, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await page.setViewportSize({ width: 390, height: 844 });
    const skeleton = page.locator('table[aria-busy=true] tbody tr[aria-hidden]');
    await expect(skeleton.first()).toBeVisible();
    const { height: expected } = await boxOf(skeleton.nth(1));
    release();
    await expect(skeleton).toHaveCount(0);
    const rows = page.getByRole('table', { name: list }).locator('.list-row');
    await expect(rows.first()).toBeVisible();
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
    // A long name takes more lines.
    expect(Math.abs(Math.min(...heights) - expected), list).toBeLessThanOrEqual(2);
    await page.unroute(isPage);
  }
});

test('on a phone, a press anywhere on a result of the support desk opens it if that is all that can be done with it', async ({
  service,
  signedIn: page,
}) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  await page.goto('/support');
  await page.getByRole('textbox', { name: 'Search all accounts' }).fill('Beta');
  await page.keyboard.press('Enter');
  const row = page.getByRole('table', { name: 'Results' }).getByRole('row', { name: 'Beta Ltd' });
  await expect(row).toBeVisible();
  await expect(row.getByRole('link', { name: 'Open Beta Ltd' })).toBeHidden();
  const { width, height } = await boxOf(row);
  expect(height, 'enough for a finger').toBeGreaterThanOrEqual(44);
  await row.click({ position: { x: width - 20, y: height / 2 } });
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
});

test('on a phone, a rotation request at the support desk says its reason and when it expires, as at 1024 px, and its link is at the end of the row and as wide as its words', async ({
  browser,
  givenApiKey,
  request,
  service,
}) => {
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await addAccounts(service, { names: ['Beta Ltd'], owner: sam });
  const key = await givenApiKey();
  const { cookies } = await sessionOf(service, sam);
  await askOwnerForRotation(request, { service, asker: cookies, uuid: key.uuid });
  const page = await pageOf(browser, service, { ...sam, address: '/support/requests' });
  const row = page.getByRole('row').filter({ hasText: key.name });
  for (const text of ['The token is lost', /Expires \d/]) {
    await expect(row.getByText(text).filter({ visible: true })).toHaveCount(1);
  }
  const link = row.getByRole('link', { name: /^Open request/ });
  await expectTouchable(link);
  const [around, button] = [await boxOf(row), await boxOf(link)];
  expect(button.width).toBeLessThan(around.width / 2);
  expect(button.x + button.width).toBeCloseTo(around.x + around.width, 0);
  await page.setViewportSize({ width: 1024, height: 768 });
  const reason = row.getByText('The token is lost').filter({ visible: true });
  await expect(reason).toHaveCount(1);
});

test('on a phone, a banner without a button has no room for one', async ({
  api,
  browser,
  named,
  service,
}) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = await api.post('/api/v1/api-keys', {
    data: { name: named('Key'), type: 'full', expires_at: expiresAt },
  });
  const { data } = (await made.json()) as { data: { uuid: string } };
  const sam = await addMember(service, { name: 'sam', role: 'viewer' });
  const page = await pageOf(browser, service, {
    ...sam,
    address: `settings/api-keys/${data.uuid}`,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  const text = page.getByText('Rotating the key does not change this.');
  const banner = text.locator('xpath=ancestor::div[2]');
  await expect(banner).toHaveText(/^Expires in/);
  const [inner, outer] = [await boxOf(text), await boxOf(banner)];
  const below = outer.y + outer.height - inner.y - inner.height;
  expect(below).toBeLessThan(16);
  await page.context().close();
});

/** Checks that a finger can press the control: it is at least 44 px wide and high. */
async function expectTouchable(control: Locator): Promise<void> {
  const { width, height } = await boxOf(control);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
}
