import { expect } from '@playwright/test';
import {
  bearer,
  choiceOf,
  expectAccessible,
  goTo,
  openApiKeys,
  readSecretOnce,
  rowOf,
  secretDialog,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a name that another key has is warned of, and a key bound to another network is refused from here', async ({
  givenApiKey,
  named,
  request,
  signedIn: page,
}) => {
  const other = await givenApiKey();
  await openApiKeys(page);
  await page.getByRole('link', { name: 'Create key' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill(other.name.toUpperCase());
  const warning = page.getByText(`You already have an active key named ${other.name}`);
  await expect(warning).toBeVisible();
  await expect(page.getByText(`Its token is …${other.token.slice(-4)}`)).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'open the existing key in a new tab' }),
  ).toHaveAttribute('href', /\/settings\/api-keys\/[\da-f-]+$/);
  await name.fill(named('Elsewhere'));
  await expect(warning).toBeHidden();
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  await page.getByRole('button', { name: 'Add network' }).click();
  const network = page.getByRole('textbox', { name: 'Network 1' });
  await expect(network).toBeFocused();
  await network.fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Create key' }).click();
  const headers = bearer(await readSecretOnce(page));
  expect((await request.get('/api/v1/api-key', { headers })).status()).toBe(403);
});

test('the last key that fits is made like any other; then a sentence stands in place of the form', async ({
  createApiKey,
  control,
  named,
  service,
  signedIn: page,
}) => {
  await control.setQuotas({ accountId: service.account.id, maxKeys: 2, maxWebhooks: 0 });
  const { token } = await createApiKey({ name: named('The last') });
  expect(token).toMatch(/^sk_live_/);
  await page.getByRole('link', { name: 'Create key' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(
    page.getByRole('heading', {
      level: 2,
      name: 'Acme Support can have no more active API keys',
    }),
  ).toBeVisible();
  await expect(page.getByText('2 of 2 active API keys used')).toBeVisible();
  await expect(page.getByText('Revoke one that is no longer used')).toBeVisible();
  await expect(name).toBeHidden();
  await expectAccessible(page, 'create key, no room');

  await page.goto('settings/webhooks/new');
  await expect(
    page.getByText('It has 0 webhooks and can have at most 0. Delete one'),
  ).toBeVisible();
  await expect(name).toBeHidden();
});

test('a webhook or bot key has the scopes of its type preselected, and the new key is marked in the list until the next page', async ({
  givenApiKey,
  named,
  request,
  signedIn: page,
}) => {
  // More than the rows that are rendered first. A key that was never used is listed below them.
  await Promise.all(Array.from({ length: 26 }, async () => await givenApiKey()));
  await page.goto('settings/api-keys/new');
  const ticked = page.locator('input[name="scopes"]:checked');
  const scopes = async () =>
    await ticked.evaluateAll((boxes: HTMLInputElement[]) => boxes.map(({ value }) => value));
  await expect(ticked).toHaveCount(0);
  await choiceOf(page, 'type', 'bot').check();
  expect(await scopes()).toEqual(['conversations:read', 'messages:write']);
  await choiceOf(page, 'type', 'webhook').check();
  expect(await scopes()).toEqual([
    'webhooks:read',
    'webhooks:manage',
    'events:read',
    'events:listen',
  ]);
  await choiceOf(page, 'scopes', 'events:listen').uncheck();
  await choiceOf(page, 'scopes', 'events:read').uncheck();
  await choiceOf(page, 'type', 'limited').check();
  await expect(ticked).toHaveCount(0);
  await choiceOf(page, 'type', 'webhook').check();
  expect(await scopes()).toEqual(['webhooks:read', 'webhooks:manage']);

  // What the key may do comes before what describes it.
  const order = await page
    .locator('form')
    .locator(
      '[name=name], [name=type][value=full], [name=scopes][value="webhooks:read"], [name=description]',
    )
    .evaluateAll((fields: HTMLInputElement[]) => fields.map(({ name }) => name));
  expect(order).toEqual(['name', 'type', 'scopes', 'description']);

  const name = named('Event relay');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(secretDialog(page).root).toBeVisible();
  const headers = bearer(await readSecretOnce(page));
  const link = page.getByRole('link', { name, exact: true });
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
  await expect(link).toHaveAccessibleDescription('New');
  await expect(rowOf(page, name).getByText('New', { exact: true })).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(name);
  await expect(rowOf(page, name).getByText('New', { exact: true })).toBeVisible();
  await expectAccessible(page, 'keys, a new one');
  await link.click();
  await expect(page.getByRole('region', { name: 'Get this key' })).toBeVisible();
  await goTo(page, 'API keys');
  await expect(rowOf(page, name)).toBeVisible();
  await expect(page.getByText('New', { exact: true })).toBeHidden();
  const own = await request.get('/api/v1/api-key', { headers });
  expect(await own.json()).toMatchObject({
    data: { type: 'webhook', scopes: ['webhooks:read', 'webhooks:manage'] },
  });
});
