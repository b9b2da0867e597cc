import { expect } from '@playwright/test';
import { fullTest, isFullRun, test } from '../fixtures.ts';
import { openApiKeys, rowOf } from '../pages/api-keys.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';

test('a key made in the form may do exactly what was ticked, once what is missing was filled in, and has the focus in the list', async ({
  named,
  request,
  signedIn: page,
}) => {
  await openApiKeys(page);
  await page.getByRole('link', { name: 'Create key' }).click();
  await expect(page).toHaveTitle(/^Create key · /);
  await expect(page.getByText(/^\d+ of \d+ live API keys used$/)).toBeVisible();
  await page.getByRole('radio', { name: 'Limited', exact: true }).check();
  await expectVariantAccessible(page, 'create key');
  await page.getByRole('radio', { name: 'On a date' }).check();
  await page.getByLabel('Date and time').fill('');
  await page.getByRole('button', { name: 'Create key' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(page.getByText('3 fields have errors.')).toHaveAttribute('aria-live', 'polite');
  await expect(page.getByText('Choose a date and time in the future.')).toHaveCount(1);
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveAccessibleDescription(/\S/);
  await expect(page.getByRole('group', { name: 'Scopes' })).toHaveAccessibleDescription(/scope/i);
  await expect(secretDialog(page).root).toBeHidden();
  await expectAccessible(page, 'create key with errors');

  const called = named('Partner app');
  await name.fill(called);
  await expect(page.getByText('3 fields have errors.')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Never' }).check();
  await page.getByRole('checkbox', { name: 'Read conversations and messages' }).check();
  // To manage webhooks is to see them.
  const see = page
    .getByRole('group', { name: 'Webhooks and events', exact: true })
    .getByRole('checkbox', { name: 'See webhooks' });
  await expect(see).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Create, change and delete webhooks' }).check();
  await expect(see).toBeChecked();
  await expect(see).toBeDisabled();
  await page.getByRole('button', { name: 'Create key' }).click();
  const token = await readSecretOnce(page);

  await expect(page).toHaveURL(/\/settings\/api-keys$/);
  await expect(page.getByRole('link', { name: called, exact: true })).toBeFocused();
  for (const shown of ['Limited', token.slice(-4), 'Active']) {
    await expect(rowOf(page, called)).toContainText(shown);
  }
  const headers = { Authorization: `Bearer ${token}` };
  const own = await request.get('/api/v1/api-key', { headers });
  expect(own.status()).toBe(200);
  expect(await own.json()).toMatchObject({
    success: true,
    data: {
      name: called,
      type: 'limited',
      scopes: ['conversations:read', 'webhooks:read', 'webhooks:manage'],
      last_four: token.slice(-4),
    },
  });
  expect((await request.get('/api/v1/conversations', { headers })).status()).toBe(200);
  expect((await request.get('/api/v1/api-keys', { headers })).status()).toBe(403);

  // Back does not lead into a form that was sent.
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expect(name).toBeHidden();

  // The form of a key that exists has the same field, and `key-life.spec.ts` uses it.
  if (!isFullRun) return;
  await test.step('a key bound to another network is refused from here', async () => {
    await page.getByRole('link', { name: 'Create key' }).click();
    await name.fill(called.toUpperCase());
    const warning = page.getByText(`You already have an active key named ${called}`);
    await expect(warning).toBeVisible();
    await expect(page.getByText(`Its token is …${token.slice(-4)}`)).toBeVisible();
    await expect(
      page.getByRole('link', { name: 'open the existing key in a new tab' }),
    ).toHaveAttribute('href', /\/settings\/api-keys\/[\da-f-]+$/);
    await expectVariantAccessible(page, 'create key with the name of another');
    await name.fill(named('Elsewhere'));
    await expect(warning).toBeHidden();
    await page.getByRole('radio', { name: 'Full', exact: true }).check();
    await page.getByRole('button', { name: 'Add network' }).click();
    const network = page.getByRole('textbox', { name: 'Network 1' });
    await expect(network).toBeFocused();
    await network.fill('203.0.113.0/24');
    await page.getByRole('button', { name: 'Create key' }).click();
    const elsewhere = { Authorization: `Bearer ${await readSecretOnce(page)}` };
    const answer = await request.get('/api/v1/api-key', { headers: elsewhere });
    expect(answer.status()).toBe(403);
  });
});

fullTest(
  'the last key that fits is made like any other; then a sentence stands in place of the form',
  async ({ createApiKey, control, named, service, signedIn: page }) => {
    await control.setQuotas({ accountId: service.account?.id ?? '', maxKeys: 2, maxWebhooks: 0 });
    const { token } = await createApiKey({ name: named('The last') });
    expect(token).toMatch(/^sk_live_/);
    await page.getByRole('link', { name: 'Create key' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect(
      page.getByRole('heading', { level: 2, name: 'Acme Support can have no more live API keys' }),
    ).toBeVisible();
    await expect(page.getByText('2 of 2 live API keys used')).toBeVisible();
    await expect(page.getByText('Revoke one that is no longer used')).toBeVisible();
    await expect(name).toBeHidden();
    await expectAccessible(page, 'create key, no room');

    await page.goto('settings/webhooks/new');
    await expect(
      page.getByText('It has 0 webhooks and can have at most 0. Delete one'),
    ).toBeVisible();
    await expect(name).toBeHidden();
  },
);

test('the list keeps search and filters in the address', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const shown = await givenApiKey({ name: named('Shown'), type: 'bot' });
  const hidden = await givenApiKey({ name: named('Hidden') });
  await openApiKeys(page);
  await page.getByRole('searchbox', { name: 'Search keys' }).fill(shown.name);
  await expect(rowOf(page, hidden.name)).toBeHidden();
  await expect(rowOf(page, shown.name)).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=/);

  // A pasted token finds its key, but only its last four characters stand in the address.
  const search = page.getByRole('searchbox', { name: 'Search keys' });
  await search.fill(`Authorization: Bearer ${shown.token}`);
  await expect(search).toHaveValue(`…${shown.token.slice(-4)}`);
  await expect(rowOf(page, shown.name)).toBeVisible();
  await expect(rowOf(page, hidden.name)).toBeHidden();
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === `…${shown.token.slice(-4)}`);

  await page.reload();
  await expect(rowOf(page, shown.name)).toBeVisible();
  await expect(rowOf(page, hidden.name)).toBeHidden();

  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Limited' }).click();
  await expect(page.getByRole('heading', { name: /^No limited key matches/ })).toBeVisible();
  await expectVariantAccessible(page, 'keys, none found');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rowOf(page, hidden.name)).toBeVisible();
});
