import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  bearer,
  expectAccessible,
  readData,
  readSecretOnce,
  rowOf,
  secretDialog,
} from 'conversation-service-playwright-kit';
import { createKeyAs } from '../../helpers/as-dashboard.ts';
import { test } from '../../fixtures.ts';
import type { Service } from '../../helpers/fixture-types.ts';

export type Key = { name: string; token: string };

/** Creates the first key through the form, from the open list, and returns its token. */
export async function createFirstKey(page: Page, request: APIRequestContext): Promise<Key> {
  const called = 'Shop backend';
  const name = page.getByRole('textbox', { name: 'Name' });

  await test.step('the form for a key says what is missing, at its fields and in a live region', async () => {
    await page.getByRole('link', { name: 'Create key' }).click();
    await expect(page).toHaveTitle(/^Create key · /);
    await expect(page.getByText('0 of 200 active API keys used')).toBeVisible();
    await page.getByRole('radio', { name: 'Limited', exact: true }).check();
    await page.getByRole('radio', { name: 'On a date' }).check();
    await page.getByLabel('Date and time').fill('');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect(name).toBeFocused();
    await expect(page.getByText('3 fields have errors.')).toHaveAttribute('aria-live', 'polite');
    await expect(page.getByText('Choose a date and time in the future.')).toHaveCount(1);
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveAccessibleDescription(/\S/);
    await expect(page.getByRole('group', { name: 'Scopes' })).toHaveAccessibleDescription(/scope/i);
    await expect(secretDialog(page).root).toBeHidden();
    await expectAccessible(page, 'create key with errors');
    await name.fill(called);
    await expect(page.getByText('3 fields have errors.')).toHaveCount(0);
    await page.getByRole('radio', { name: 'Never' }).check();
  });

  const token =
    await test.step('its token is shown once, and Done leads to the key in the list', async () => {
      for (const scope of ['Read conversations and messages', 'Open and close conversations']) {
        await page.getByRole('checkbox', { name: scope }).check();
      }
      await page.getByRole('checkbox', { name: 'Write messages' }).check();
      // Managing webhooks includes seeing them.
      const see = page
        .getByRole('group', { name: 'Webhooks and events', exact: true })
        .getByRole('checkbox', { name: 'See webhooks' });
      await expect(see).not.toBeChecked();
      await page.getByRole('checkbox', { name: 'Create, change and delete webhooks' }).check();
      await expect(see).toBeChecked();
      await expect(see).toBeDisabled();
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = secretDialog(page, called);
      await expect(dialog.value).toHaveValue(/^sk_live_/);
      await dialog.copy.click();
      await expect(dialog.status).toHaveText('Token copied.');
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(await readSecretOnce(page)).toBe(copied);
      await expect(page).toHaveURL(/\/settings\/api-keys$/);
      await expect(page.getByRole('link', { name: called, exact: true })).toBeFocused();
      for (const shown of ['Limited', copied.slice(-4), 'Active']) {
        await expect(rowOf(page, called)).toContainText(shown);
      }
      return copied;
    });

  await test.step('the key may do exactly what was ticked', async () => {
    const headers = bearer(token);
    const own = await request.get('/api/v1/api-key', { headers });
    expect(own.status()).toBe(200);
    expect(await own.json()).toMatchObject({
      success: true,
      data: {
        name: called,
        type: 'limited',
        scopes: [
          'conversations:read',
          'conversations:write',
          'messages:write',
          'webhooks:read',
          'webhooks:manage',
        ],
        last_four: token.slice(-4),
      },
    });
    expect((await request.get('/api/v1/conversations', { headers })).status()).toBe(200);
    expect((await request.get('/api/v1/api-keys', { headers })).status()).toBe(403);
  });

  await test.step('Back does not lead to a form that was submitted', async () => {
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
    await expect(name).toBeHidden();
  });
  return { name: called, token };
}

/** Creates two more keys with API calls: one as the person of the page, one with the other key. */
export async function createMoreKeys(
  page: Page,
  { home, request, service }: { home: string; request: APIRequestContext; service: Service },
): Promise<{ used: Key; unused: Key }> {
  const name = 'Warehouse';
  const { token } = await createKeyAs(request, {
    name,
    service,
    cookies: await page.context().cookies(),
    accountId: /\/a\/([\w-]+)\//.exec(home)?.[1] ?? '',
  });
  const unused = 'Old script';
  const made = await request.post('/api/v1/api-keys', {
    headers: bearer(token),
    data: { name: unused, type: 'full' },
  });
  expect(made.status()).toBe(201);
  const data = await readData<{ token: string }>(made);
  return { used: { name, token }, unused: { name: unused, token: data.token } };
}

/** In the list, with another key beside it. */
export async function findKey(page: Page, { sought, other }: { sought: Key; other: Key }) {
  const search = page.getByRole('searchbox', { name: 'Search keys' });
  const expectOnlySought = async () => {
    await expect(rowOf(page, other.name)).toBeHidden();
    await expect(rowOf(page, sought.name)).toBeVisible();
  };

  await test.step('the list finds a key by its name and by a pasted token, of which only the last four characters are in the URL', async () => {
    await search.fill(sought.name);
    await expectOnlySought();
    await expect(page).toHaveURL(/[?&]q=/);
    const masked = `…${sought.token.slice(-4)}`;
    await search.fill(`Authorization: Bearer ${sought.token}`);
    await expect(search).toHaveValue(masked);
    await expectOnlySought();
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === masked);
  });

  await test.step('a reload keeps the search, which can be cleared', async () => {
    await page.reload();
    await expectOnlySought();
    await search.clear();
    await expect(rowOf(page, other.name)).toBeVisible();
  });

  await test.step('an empty result leads back', async () => {
    await search.fill(sought.name);
    await expectOnlySought();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Bot' }).click();
    await expect(page.getByRole('heading', { name: /^No bot key matches/ })).toBeVisible();
    await expectAccessible(page, 'keys, none found');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(rowOf(page, other.name)).toBeVisible();
  });
}
