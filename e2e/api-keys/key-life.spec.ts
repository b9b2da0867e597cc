import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  bearer,
  choiceOf,
  choose,
  expectAccessible,
  goTo,
  menuOf,
  openApiKeys,
  readData,
  readSecretOnce,
  rowOf,
  secretDialog,
  statusOf,
} from 'conversation-service-playwright-kit';
import { dayMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import { refusal } from '../helpers/error-responses.ts';

test('a key’s page shows its details, of which everything but its type can be edited, with errors at their fields; an unknown key is not found inside the frame', async ({
  api,
  givenApiKey,
  guard,
  named,
  request,
  service,
  signedIn: page,
}) => {
  // Its steps together take longer than one test may.
  test.slow();
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:manage'] });
  const other = await givenApiKey();
  const headers = { ...bearer(key.token), 'User-Agent': 'returns-portal/2.4' };
  await request.get('/api/v1/api-key', { headers });
  await openApiKeys(page);

  await test.step('the page shows the key’s details', async () => {
    await page.getByRole('link', { name: key.name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/settings/api-keys/${key.uuid}$`));
    await expect(page).toHaveTitle(new RegExp(`^${key.name} · `));

    expect(await factOf(page, 'Type')).toContain('Limited');
    expect(await factOf(page, 'Networks')).toBe('Any address');
    expect(await factOf(page, 'Expires')).toBe('Never');
    expect(await factOf(page, 'Last used')).toMatch(/from 127\.0\.0\.1 with returns-portal\/2\.4$/);
    await expect(page.getByText(/^(last )?used\b/i)).toHaveCount(1);
    expect(await factOf(page, 'Created')).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d UTC by /);
    expect(await factOf(page, 'Key ID')).toContain(key.uuid);
    const masked = page.getByText(`sk_live_…${key.token.slice(-4)}`);
    await expect(page.getByRole('listitem').filter({ has: masked })).toContainText(
      'Created with the key, which was never rotated.',
    );
    for (const scope of ['webhooks:read', 'webhooks:manage']) {
      await expect(page.getByRole('listitem').filter({ hasText: scope })).toBeVisible();
    }
    await expect(page.getByText('conversations:read')).toBeHidden();

    const command = page.getByRole('region', { name: 'Get this key' });
    await expect(command).toContainText(`curl ${service.origin}/api/v1/api-key`);
    await expect(command).toContainText(`Bearer sk_live_…${key.token.slice(-4)}`);
    await expect(page.locator('body')).not.toContainText(key.token);
  });

  await goTo(page, 'API keys');
  await choose(page, key.name, 'Edit key');
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${key.name}` })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Limited' })).toBeHidden();
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toHaveAccessibleDescription('There are no changes to save.');
  const field = page.getByRole('textbox', { name: 'Name' });
  const name = named('Renamed');

  await test.step('each invalid field shows its error', async () => {
    await field.fill('');
    await page.getByRole('checkbox', { name: 'Create, change and delete webhooks' }).uncheck();
    await page.getByRole('checkbox', { name: 'See webhooks' }).uncheck();
    await page.getByRole('radio', { name: 'On a date' }).check();
    const date = page.getByLabel('Date and time');
    await date.fill('2020-01-01T00:00');
    await save.click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/1 to 100 characters/);
    await expect(page.getByText('Select at least one scope.')).toBeVisible();
    await expect(date).toHaveAccessibleDescription('Choose a date and time in the future.');
    await expectAccessible(page, 'edit with errors');

    // An error that only the service can find is shown at its field as well.
    await field.fill(`${name}\u202E`);
    await page.getByRole('checkbox', { name: 'See webhooks' }).check();
    await page.getByRole('checkbox', { name: 'Read events and deliveries' }).check();
    await page.getByRole('radio', { name: '90 days' }).check();
    await save.click();
    await expect(field).toHaveAccessibleDescription(
      /^Remove the invisible character after “\S+” \(U\+202E\)\.$/,
    );
    await expect(field).toBeFocused();
    await expect(page.getByRole('checkbox', { name: 'Read events and deliveries' })).toBeChecked();
  });

  await field.fill(name);
  await page.getByRole('button', { name: 'Add network' }).click();
  const network = page.getByRole('textbox', { name: 'Network 1' });
  await expect(network).toBeFocused();
  await network.fill('203.0.113.0/24');
  await page.getByRole('textbox', { name: 'Description' }).fill('Sends parcel news.');
  await page.getByRole('textbox', { name: 'Tags' }).fill('Parcels, EU West');
  await page.getByRole('combobox', { name: /^Responsible person/ }).click();
  await page.getByRole('option', { name: /^ada / }).click();
  await page.getByRole('textbox', { name: 'Calls per minute' }).fill('300');
  await page.getByRole('switch', { name: 'May rotate itself' }).check();
  await save.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  expect(await factOf(page, 'Networks')).toBe('203.0.113.0/24');
  expect(await factOf(page, 'Description')).toBe('Sends parcel news.');
  expect(await factOf(page, 'Own rate limit')).toBe('300 calls a minute');
  expect(await factOf(page, 'May rotate itself')).toBe('Yes');
  await page.getByRole('button', { name: 'Rotate token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Sends parcel news.')).toBeVisible();
  await expect(dialog.getByText('eu west', { exact: true })).toBeVisible();
  await expect(dialog.getByText('ada', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const data = await readData<{
    name: string;
    scopes: string[];
    expires_at: string;
    allowed_cidrs: string[];
  }>(await api.get(`/api/v1/api-keys/${key.uuid}`));
  expect(data).toMatchObject({
    name,
    scopes: ['webhooks:read', 'events:read'],
    allowed_cidrs: ['203.0.113.0/24'],
  });
  expect((Date.parse(data.expires_at) - Date.now()) / dayMs).toBeCloseTo(90, 1);

  await goTo(page, 'API keys');
  const filters = [
    ['Tag', 'parcels', 'tag=parcels', 'Any'],
    ['Responsible', 'ada', 'responsible=', 'Anyone'],
  ] as const;
  for (const [label, value, word, every] of filters) {
    await expect(rowOf(page, other.name)).toBeVisible();
    const filter = page.getByRole('combobox', { name: label, exact: true });
    await filter.click();
    await page.getByRole('option', { name: value, exact: true }).click();
    await expect(page).toHaveURL((url) => url.search.includes(word));
    await expect(rowOf(page, name)).toBeVisible();
    await expect(rowOf(page, other.name)).toBeHidden();
    await filter.click();
    await page.getByRole('option', { name: every, exact: true }).click();
  }

  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'Edit key' }).click();
  await expect(network).toHaveValue('203.0.113.0/24');
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${name}` })).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page.getByRole('radio', { name: 'Keep as it is' })).toBeChecked();
  await page.getByRole('radio', { name: 'Never' }).check();
  await save.click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  expect(await factOf(page, 'Expires')).toBe('Never');

  await test.step('an unknown key is not found inside the frame, which has its navigation on a phone too', async () => {
    guard.allow(/status of 404/);
    await page.goto('settings/api-keys/0198c2a4-0000-7000-8000-000000000007');
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible();
    await expectAccessible(page, 'no such key');
    await page.getByRole('link', { name: 'Go to API keys' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
    await page.setViewportSize({ width: 320, height: 800 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const navigation = page.getByRole('dialog', { name: 'Navigation' });
    await expect(navigation).toBeVisible();
    await expectAccessible(page, 'navigation', navigation);
  });
});

test('the row of a key that was used is as high as that of a key that was not', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const [used, unused] = [await givenApiKey(), await givenApiKey()];
  expect((await request.get('/api/v1/api-key', { headers: bearer(used.token) })).ok()).toBe(true);
  await openApiKeys(page);
  await expect(rowOf(page, used.name)).toContainText('127.0.0.1');
  // The first row has the line above the rows as well.
  const [, ...heights] = await page
    .locator('.list-row')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(heights).toHaveLength(2);
  expect(new Set(heights).size).toBe(1);
  await expect(rowOf(page, unused.name)).toContainText('No successful call');
});

test('each older token shows its own end and last use, and can be ended early', async ({
  api,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const data = { grace_period_seconds: 3000 };
  const response = await api.post(`/api/v1/api-keys/${key.uuid}/rotate`, { data });
  const second = (await readData<{ token: string }>(response)).token;
  for (const token of [key.token, second]) await statusOf(request, token);
  await page.goto(`settings/api-keys/${key.uuid}`);
  await expect(page.getByText(/^Rotating: the old token works until \d.+ UTC$/)).toBeVisible();
  await expect(page.getByText(/was used .+ after it was replaced/)).toBeVisible();

  const start = page.getByRole('button', { name: 'Rotate token' });
  await start.click();
  const rotation = page.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(rotation.getByRole('group', { name: `…${second.slice(-4)} ends` })).toBeVisible();
  await expect(rotation).toContainText(`…${key.token.slice(-4)} keeps its current end time.`);
  await expect(rotation).toContainText('For a leaked token, choose Now.');
  await rotation.getByRole('radio', { name: 'In 7 days' }).check();
  await rotation.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const told = page.getByRole('dialog', { name: /new token for/i });
  await expect(told).toContainText(`the one ending in ${second.slice(-4)} for 7 days`);
  await expect(told).toContainText(`the one ending in ${key.token.slice(-4)} for`);
  await expect(told).toContainText('Switch to the new one before they end.');
  const third = await readSecretOnce(page);
  await expect(start).toBeFocused();

  const tokens = page.getByRole('listitem').filter({ hasText: 'sk_live_…' });
  for (const [place, token] of [third, second, key.token].entries()) {
    await expect(tokens.nth(place)).toContainText(`sk_live_…${token.slice(-4)}`);
  }
  await expect(
    page.getByText(/^Rotating: 2 old tokens still work, the last one until/),
  ).toBeVisible();
  await expect(tokens.nth(1)).toContainText(/Works until \d+ \w{3} \d{4}, \d\d:\d\d UTC/);
  await expect(tokens.nth(1)).toContainText(/[67] days from now/);
  await expect(tokens.nth(2)).toContainText(/\d\d min from now/);
  await expectAccessible(page, 'key with old tokens');
  await menuOf(page, key.name).click();
  await expectAccessible(page, 'the menu of a key', page.getByRole('menu'));
  await page.keyboard.press('Escape');

  const announcements = page.getByRole('region', { name: 'Notifications' });
  const end = async (token: string, use: string) => {
    const lastFour = token.slice(-4);
    await page.getByRole('button', { name: new RegExp(`^End now.*…${lastFour}$`) }).click();
    const question = page.getByRole('alertdialog', { name: `End token …${lastFour}` });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(question).toContainText(use);
    await expectAccessible(page, 'end an old token', question);
    await question.getByRole('button', { name: `End token …${lastFour}` }).click();
    await expect(question).toBeHidden();
    await expect(announcements).toContainText(`Token …${lastFour} ended`);
  };
  await end(key.token, 'It was used after it was replaced.');
  await expect(tokens).toHaveCount(2);
  expect(await statusOf(request, key.token)).toBe(401);
  await expect(page.getByText(`Watching for calls with …${second.slice(-4)}`)).toBeVisible();
  expect(await statusOf(request, second)).toBe(200);
  await end(second, 'It was used after it was replaced.');
  await expect(page.getByRole('heading', { level: 2, name: /^Token/ })).toBeFocused();
  await expect(tokens).toHaveText(
    /Created \d+ \w{3} \d{4}, .* UTC by .*, when the key was rotated\.$/,
  );
  expect(await statusOf(request, second)).toBe(401);
  expect(await statusOf(request, third)).toBe(200);
});

test('a row that leaves by its rotation hands the focus to the next one', async ({
  api,
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const common = named('Leaving');
  for (const name of [`${common} 1`, `${common} 2`]) {
    const { uuid } = await givenApiKey({ name });
    await api.post(`/api/v1/api-keys/${uuid}/rotate`);
  }
  await page.goto(`settings/api-keys?q=${encodeURIComponent(common)}&status=rotating&sort=name`);
  for (const name of [`${common} 1`, `${common} 2`]) {
    await choose(page, name, 'Rotate token');
    const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
    await question.getByRole('radio', { name: 'Now' }).check();
    await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
    await readSecretOnce(page);
    await expect(rowOf(page, name)).toBeHidden();
    await expect(
      name.endsWith('1') ? menuOf(page, `${common} 2`) : page.getByRole('heading', { level: 1 }),
    ).toBeFocused();
  }
});

test('a paused key gets 401 with its token until it is resumed, and its page says since when and by whom', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const call = async () => await statusOf(request, key.token);
  expect(await call()).toBe(200);
  await openApiKeys(page);
  await choose(page, key.name, `Pause ${key.name}`);
  const pause = page.getByRole('alertdialog', { name: `Pause ${key.name}` });
  await expect(pause).toContainText('Calls with this key are rejected with 401');
  await expectAccessible(page, 'pause a key', pause);
  await pause.getByRole('button', { name: `Pause ${key.name}` }).click();
  await expect(rowOf(page, key.name)).toContainText(/Paused.*Since \d+ \w{3}.*, by ada/);
  expect(await call()).toBe(401);

  await page.getByRole('link', { name: key.name, exact: true }).click();
  await expect(page.getByText(/^Paused since .*, by ada$/)).toBeVisible();
  await expectAccessible(page, 'page of a paused key', page.getByRole('main'));
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('button', { name: `Resume ${key.name}` }).click();
  await expect(page.getByText(`${key.name} is active`)).toBeVisible();
  await expect(page.getByText(/^Paused since/)).toBeHidden();
  expect(await call()).toBe(200);
});

/** The value beside a label in the page's facts. */
async function factOf(page: Page, label: string): Promise<string> {
  const value = page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]');
  return (await value.innerText()).trim();
}

test('if a row leaves while its dialog is open, the focus moves to the title of the page', async ({
  api,
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const name = named('Leaving');
  const { uuid } = await givenApiKey({ name });
  await api.post(`/api/v1/api-keys/${uuid}/rotate`);
  await page.clock.install();
  await page.goto(`settings/api-keys?q=${encodeURIComponent(name)}&status=rotating`);
  await expect(rowOf(page, name)).toBeVisible();
  const { promise: isRotated, resolve: read } = Promise.withResolvers<void>();
  await page.route('**/data/listApiKeys', async (route) => {
    await isRotated;
    await route.fallback();
  });
  const refetch = page.waitForRequest('**/data/listApiKeys');
  await page.clock.fastForward('00:45');
  await refetch;
  await choose(page, name, 'Rotate token');
  await page.getByRole('dialog').getByRole('radio', { name: 'Now' }).check();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Rotate ${name}`, exact: true })
    .click();
  await expect(secretDialog(page).value).toBeVisible();
  read();
  await expect(page.getByText(`No key matches “${name}”`)).toBeAttached();
  await readSecretOnce(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a revocation that is refused as not found is not announced as done', async ({
  apiProxy,
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const { name, uuid } = await givenApiKey();
  await openApiKeys(page);
  apiProxy.respondTo('DELETE', new RegExp(`/api-keys/${uuid}$`), () =>
    refusal(404, { code: 'NOT_FOUND', message: 'This does not exist.' }),
  );
  await choose(page, name, `Revoke ${name}`);
  const question = page.getByRole('alertdialog', { name: `Revoke ${name}`, exact: true });
  // The part that shows toasts has loaded.
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached();
  const refetch = page.waitForResponse('**/data/listApiKeys');
  await question.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
  await expect(question).toBeHidden();
  await refetch;
  await expect(rowOf(page, name)).toContainText('Active');
  // At once: an assertion that waits would wait until the toast has gone.
  expect(await page.getByText(`${name} revoked`).count()).toBe(0);
});

test('before a key is changed, the form shows what changes, and when a removed scope was last used', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const scopes = ['webhooks:read', 'events:read', 'messages:write'] as const;
  const key = await givenApiKey({ type: 'limited', scopes: [...scopes] });
  await request.get('/api/v1/webhooks', { headers: bearer(key.token) });
  await page.goto(`settings/api-keys/${key.uuid}/edit`);
  const changes = page.getByRole('table', { name: 'Before and after' });
  const uses = page.getByRole('list', { name: 'Last use of the removed scopes' });
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(key.name);
  await expect(changes).toBeHidden();

  await page.getByRole('textbox', { name: 'Calls per minute' }).fill('30');
  await expect(changes.getByRole('row', { name: 'Calls per minute' })).toContainText('Default30');
  await expect(uses).toBeHidden();
  await choiceOf(page, 'scopes', 'webhooks:read').uncheck();
  await choiceOf(page, 'scopes', 'events:read').uncheck();
  await choiceOf(page, 'scopes', 'conversations:read').check();
  await expect(changes.getByRole('row', { name: 'Scopes' })).toContainText(
    /webhooks:read.*conversations:read/,
  );
  await expect(uses.getByRole('listitem').filter({ hasText: 'webhooks:read' })).toContainText(
    /last used (just now|\d+ s ago).*will be rejected with 403/,
  );
  await expect(uses.getByRole('listitem').filter({ hasText: 'events:read' })).toHaveText(
    'events:read: not used in the last 30 days.',
  );
  await expectAccessible(page, 'edit key with changes');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: key.name })).toBeVisible();
});
