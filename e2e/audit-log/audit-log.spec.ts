import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { askForRotation, bearer, expectAccessible } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, changeRole, pageOf } from '../pages/people/members.ts';
import { broken, rateLimited } from '../helpers/error-responses.ts';

test.use({ accountName: 'Trail Ltd' });

test('the focus stays on the time filter when its custom window is opened and when it is removed', async ({
  signedIn: page,
}) => {
  await page.goto('settings/audit-log');
  const time = page.getByRole('combobox', { name: 'Time' });
  await time.press('Enter');
  await page.getByRole('option', { name: 'Custom' }).click();
  await expect(page.getByLabel('From')).toBeVisible();
  await expect(time).toBeFocused();
  await expect(time).toHaveText('Time Custom');
  await page.getByRole('button', { name: /^Remove the filter: / }).press('Enter');
  await expect(page.getByLabel('From')).toBeHidden();
  await expect(time).toBeFocused();
  await expect(time).toHaveText('Time Any');

  await time.press('Enter');
  await page.getByRole('option', { name: 'Custom' }).click();
  await expect(page).toHaveURL(/\?from=/);
  await time.press('Enter');
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/\?since=7d$/);
  await expect(page.getByLabel('From')).toBeHidden();
});

test('the log shows who did what, with whole names of the usual length, and its filters, details and links lead to the same entries', async ({
  api,
  givenApiKey,
  givenWebhook,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey({ name: 'Production backend' });
  const webhook = await givenWebhook({ name: 'Orders of all shops' });
  const secret = await request.post(`/api/v1/webhooks/${webhook.uuid}/regenerate-secret`, {
    headers: bearer(key.token),
  });
  expect(secret.status()).toBe(201);
  await page.goto('settings/audit-log');
  await expect(page).toHaveTitle(/^Audit log · /);
  await expect(entry(page, `created the key ${key.name}`)).toBeVisible();
  await expectAccessible(page, 'audit log');

  await test.step('the names of an actor and of what they changed are whole', async () => {
    const row = page.getByRole('row', { name: /\bgenerated the signing secret of the webhook/ });
    const target = row
      .getByRole('cell')
      .filter({ hasText: /^generated/ })
      .locator('> span');
    for (const text of [row.getByText(key.name, { exact: true }), target]) {
      await expect(text).toBeVisible();
      const hidden = await text.evaluate((element) => [
        element.scrollWidth - element.clientWidth,
        element.scrollHeight - element.clientHeight,
      ]);
      expect(hidden).toEqual([0, 0]);
    }
  });

  await choose(page, 'Action', 'Webhooks');
  await expect(entry(page, `created the webhook ${webhook.name}`)).toBeVisible();
  await expect(entry(page, `created the key ${key.name}`)).toBeHidden();
  // An action that does not exist is no filter.
  await page.goto('settings/audit-log?action=nope');
  await expect(page.getByRole('combobox', { name: 'Action' })).toHaveText(/Any/);
  await expect(entry(page, `created the key ${key.name}`)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?action=webhook$/);
  await expect(entry(page, `created the webhook ${webhook.name}`)).toBeVisible();
  await expect(entry(page, `created the key ${key.name}`)).toBeHidden();

  const response = await api.patch(`/api/v1/webhooks/${webhook.uuid}`, {
    data: { name: '=Renamed' },
  });
  expect(response.status()).toBe(200);
  await expect(entry(page, 'changed the webhook =Renamed')).toBeVisible();

  await entry(page, 'changed the webhook =Renamed').click();
  const drawer = page.getByRole('dialog', { name: 'Audit entry' });
  await expect(drawer.getByRole('row', { name: /^Name/ })).toHaveText(
    `Name${webhook.name}=Renamed`,
  );
  await expect(drawer).toContainText('webhook.updated');
  await expectAccessible(page, 'audit entry', drawer);
  await drawer.getByRole('link', { name: 'All about =Renamed' }).click();
  await expect(page).toHaveURL(new RegExp(`\\?target=${webhook.uuid}$`));
  await expect(page.getByText('Entries about =Renamed')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: '=Renamed' }).first().click();
  await page.getByRole('button', { name: 'Actions for =Renamed' }).click();
  await page.getByRole('menuitem', { name: 'Changes to this webhook' }).click();
  await expect(entry(page, `created the webhook ${webhook.name}`)).toBeVisible();

  await page.goto(`settings/audit-log?from=yesterday`);
  await expect(page.getByLabel('From')).toHaveAccessibleDescription(
    'The time in the address of this page is not valid. Choose another.',
  );
  await page.getByLabel('From').fill('2026-01-02T10:00');
  await page.getByLabel('Until').fill('2026-01-02T09:00');
  await expect(page.getByLabel('Until')).toHaveAccessibleDescription(
    'Choose a time after the start.',
  );
  await page.getByLabel('Until').fill('2099-01-02T09:00');
  await expect(entry(page, `created the key ${key.name}`)).toBeVisible();
  const days = page.getByRole('rowheader', { name: /^\d+ [A-Z][a-z]{2} \d{4}$/ });
  // Two if midnight was during the test.
  await expect(days.first()).toBeVisible();
  await expect(page).toHaveURL(/\?from=2026-01-02T.*&to=2099-01-02T/);

  await page.getByRole('searchbox', { name: 'Search by target ID' }).fill('nothing');
  await expect(page.getByText('No matching entries')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(entry(page, `created the key ${key.name}`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeFocused();
});

test('an export has the entries that are shown, can be cancelled, and writes no file if the rate limit refuses it', async ({
  api,
  apiProxy,
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 429/);
  // Without the browser's file dialog, an export is a download.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const webhook = await givenWebhook();
  const changed = await api.patch(`/api/v1/webhooks/${webhook.uuid}`, {
    data: { name: '=Renamed' },
  });
  expect(changed.status()).toBe(200);
  await page.clock.install();
  await page.goto(`settings/audit-log?target=${webhook.uuid}`);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export audit log' });
  await expect(dialog).toContainText(`Target ID: ${webhook.uuid}`);
  await expectAccessible(page, 'export', dialog);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByRole('status').last()).toHaveText(
    /^Exported 2 entries to audit-log-.*\.csv\.$/,
  );
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^\uFEFFid,at,actor_kind,/);
  expect(lines[1]).toContain(`,webhook.updated,webhook,${webhook.uuid},'=Renamed,`);
  expect(lines[2]).toContain(`,webhook.created,webhook,${webhook.uuid},${webhook.name},`);

  const exports = '**/data/exportAuditLog?*';
  await page.route(exports, () => new Promise(() => {}));
  await dialog.getByText('JSON lines').click();
  await dialog.getByRole('button', { name: 'Export again' }).click();
  await dialog.getByRole('button', { name: 'Cancel export' }).click();
  await expect(dialog.getByRole('status').last()).toHaveText(
    'Export cancelled. No file was saved.',
  );
  // While it fades out, a dialog keeps its text.
  await dialog.evaluate((popup) => (popup.style.transitionDuration = '60s'));
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toHaveAttribute('data-ending-style');
  await expect(dialog.getByRole('status').last()).toHaveText(
    'Export cancelled. No file was saved.',
  );
  await dialog.evaluate((popup) => popup.getAnimations().forEach((fading) => fading.finish()));
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export' })).toBeFocused();
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('button', { name: 'Export', exact: true })).toBeVisible();

  await test.step('it counts down to the next try after the rate limit refused it', async () => {
    await page.unroute(exports);
    await page.evaluate(recordFileCalls);
    const fileCalls = () => page.evaluate(() => Reflect.get(window, 'fileCalls') as string[]);
    apiProxy.respondTo('GET', /\/audit-log\/export/, () => rateLimited(40));
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByText(/^Too many requests\. Try again in \d+:\d\d$/)).toBeVisible();
    const again = dialog.getByRole('button', { name: 'Export again' });
    await expect(again).toHaveAttribute('aria-disabled', 'true');
    expect(await fileCalls(), 'only the empty file is removed').toEqual(['remove']);

    apiProxy.reset();
    await page.clock.fastForward(41_000);
    await again.click();
    await expect(dialog.getByRole('status').getByText(/^Exported \d+ entr/)).toBeVisible();
    expect([...new Set(await fileCalls())]).toEqual(['remove', 'open', 'write', 'close']);
  });
});

test('entries that could not be loaded can be loaded again where the error is shown, and the focus stays there', async ({
  apiProxy,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  let isBroken = true;
  apiProxy.respondTo('GET', /\/audit-log\?/, async ({ path, pass }) => {
    if (path.includes('cursor=')) {
      if (isBroken) return broken();
      return { status: 200, body: { success: true, data: [], next_cursor: null } };
    }
    const response = await pass();
    return { ...response, body: { ...(response.body as object), next_cursor: 'older' } };
  });
  await page.goto('settings/audit-log');
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(page.getByText('The older entries could not be loaded')).toBeVisible();
  await expect(page.getByText('could not be refreshed')).toBeHidden();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByText(/^Newest first\..* Nothing older to load\.$/)).toBeFocused();
  await expect(page.getByText('The older entries could not be loaded')).toBeHidden();
});

test('a person who may no longer read incidents or the audit log sees nothing of them', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const { name } = await givenApiKey();
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  const log = await pageOf(browser, service, kim);
  const incidents = await log.context().newPage();
  await log.clock.install();
  await log.goto('settings/audit-log');
  await expect(entry(log, `created the key ${name}`)).toBeVisible();
  await incidents.clock.install();
  await incidents.goto('settings/api-keys/incident');
  await expect(incidents.getByText('No incidents yet')).toBeVisible();

  await changeRole(service, { person: kim, role: 'viewer' });
  for (const page of [log, incidents]) {
    await page.clock.runFor(31_000);
    // The second sentence once the page has been rendered again for the new role.
    await expect(
      page.getByText(/An owner or an admin can change your role\.|Owners and admins can see it\./),
    ).toBeVisible();
    await expect(page.getByText(name)).toBeHidden();
    await expect(page.getByText('No incidents yet')).toBeHidden();
  }
  await log.context().close();
});

test('an entry about a rotation request leads to the request', async ({
  browser,
  givenApiKey,
  service,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const support = await pageOf(browser, service, {
    ...sam,
    address: `settings/api-keys/${key.uuid}?act=rotate`,
  });
  await askForRotation(support, { member: 'ada', reason: 'The token is lost' });
  await expect(support.getByText(/^You asked ada to rotate it/)).toBeVisible();
  await support.context().close();

  await page.goto('settings/audit-log');
  await page.getByRole('row').filter({ hasText: 'sam' }).getByRole('button').first().click();
  const drawer = page.getByRole('dialog', { name: 'Audit entry' });
  await expect(drawer).toContainText('rotation_request.created');
  await drawer.getByRole('link', { name: key.name, exact: true }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: `sam asks you to rotate ${key.name}` }),
  ).toBeVisible();
});

test('support finds no link to the log, and on its page who can see it and where to find them', async ({
  browser,
  service,
}) => {
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const page = await pageOf(browser, service, { ...sam, address: 'settings/audit-log' });
  const main = page.getByRole('main');
  await expect(main.getByText('Owners and admins can see it.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Audit log', exact: true })).toBeHidden();
  await main.getByRole('link', { name: 'Open team' }).click();
  await expect(page.getByRole('table', { name: /^Members of / })).toContainText('ada');
  await page.context().close();
});

/** The button in the row of an entry. */
function entry(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text }).getByRole('button').first();
}

/** Replaces the browser's file dialog, and records what is done to the file. */
function recordFileCalls(): void {
  const calls: string[] = [];
  const record = (call: string) => Promise.resolve(void calls.push(call));
  const writable = {
    write: () => record('write'),
    close: () => record('close'),
    abort: () => record('abort'),
  };
  Object.assign(window, {
    fileCalls: calls,
    showSaveFilePicker: async () => ({
      createWritable: async () => (await record('open'), writable),
      getFile: () => Promise.resolve({ size: 0 }),
      remove: () => record('remove'),
    }),
  });
}

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
