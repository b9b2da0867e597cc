import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  openApiKeys,
  proofPrompt,
  proveIdentity,
  readSecretOnce,
  rowOf,
  statusOf,
} from 'conversation-service-playwright-kit';
import { expireProof } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';

test('an incident rotates many chosen keys together, and shows each new token once', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const keys = [await givenApiKey(), await givenApiKey()];
  const [one, other] = keys;
  if (!one || !other) throw new Error('there are two keys');
  for (const { token } of keys) expect(await statusOf(request, token)).toBe(200);

  await test.step('the keys are filtered by their creator, and selected', async () => {
    await openApiKeys(page);
    await chooseCreator(page, /^API key /);
    await page.getByRole('checkbox', { name: `Select ${one.name}` }).check();
    await page.getByRole('button', { name: 'Rotate…' }).click();
    const ofOne = page.getByRole('dialog', { name: 'Rotate 1 key' });
    await expect(ofOne).toContainText('The key gets a new token');
    await expect(ofOne.getByRole('group', { name: 'The old token ends' })).toBeVisible();
    await expect(ofOne).toContainText('with this token');
    await ofOne.getByRole('button', { name: 'Cancel' }).click();
    const selection = page.getByRole('region', { name: 'Selected keys' });
    await selection.getByRole('button', { name: 'Select all 2' }).click();
    await expect(selection).toContainText('2 selected · 2 keys in use now');
    await expect(page.getByRole('checkbox', { name: `Select ${other.name}` })).toBeChecked();
    await expectAccessible(page, 'selected keys', selection);
  });

  await test.step('the dialog shows what would end, and nothing happens without a reason and the typed words', async () => {
    await page.getByRole('button', { name: 'Rotate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate 2 keys' });
    await expect(dialog.getByRole('radio', { name: 'Now' })).toBeChecked();
    await expect(dialog).toContainText('2 tokens, 2 calls an hour');
    const calls = dialog.getByRole('list', { name: 'Calls that would end, by key' });
    await expect(calls.getByRole('listitem')).toHaveCount(2);
    await expect(calls).toContainText('1 call an hour, in use now');
    await expectAccessible(page, 'what would end', dialog);
    const start = dialog.getByRole('button', { name: 'Rotate 2 keys' });
    await expect(start).toHaveAccessibleDescription('Type rotate 2 keys above first.');
    await dialog.getByRole('textbox', { name: 'Type these words' }).fill('rotate 2 keys');
    await expect(start).toHaveAccessibleDescription('Enter a reason first.');
    await dialog.getByRole('textbox', { name: 'What happened' }).fill('Laptop stolen');
    for (const { token } of keys) expect(await statusOf(request, token)).toBe(200);
    await start.click();
  });

  await test.step('each key has a new token, which is shown once', async () => {
    await expect(page.getByRole('heading', { level: 1, name: '2 keys rotated' })).toBeVisible();
    for (const { token } of keys) expect(await statusOf(request, token)).toBe(401);
    await page.reload();
    await expect(page.getByText('2 keys have a new token')).toBeVisible();
    await expect(rowOf(page, one.name)).toContainText('New token not shown yet');
    await expectAccessible(page, 'results');
    await page.getByRole('button', { name: `Show a new token of ${one.name}` }).click();
    const question = page.getByRole('alertdialog', { name: `Show a new token of ${one.name}` });
    await question.getByRole('button', { name: 'Show a new token' }).click();
    const token = await readSecretOnce(page);
    expect(await statusOf(request, token)).toBe(200);
    await expect(page.getByText('1 key has a new token')).toBeVisible();
    await expect(
      page.getByRole('button', { name: `Show a new token of ${one.name}` }),
    ).toBeHidden();
  });
});

test('only keys that are listed can be selected: not those that a filter hides, that appear later, or that ended', async ({
  api,
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 422/);
  const { name } = await givenApiKey();
  const ended = await givenApiKey();
  await api.delete(`/api/v1/api-keys/${ended.uuid}`);
  await page.clock.install();
  await page.goto('settings/api-keys');
  const boxOfKey = (key: string) => page.getByRole('checkbox', { name: `Select ${key}` });
  const selection = page.getByRole('region', { name: 'Selected keys' });
  await boxOfKey(name).check();
  await expect(boxOfKey(ended.name)).toBeHidden();
  const later = await givenApiKey();
  await page.clock.runFor(31_000);
  await expect(rowOf(page, later.name)).toBeVisible();
  await expect(boxOfKey(later.name)).not.toBeChecked();
  await expect(selection).toContainText('1 selected');

  await page.getByRole('button', { name: 'More filters' }).click();
  const usedFrom = page.getByRole('textbox', { name: 'Used from' });
  await usedFrom.fill('my laptop');
  await usedFrom.press('Enter');
  await expect(usedFrom).toHaveAccessibleDescription(/Use an address or a network/);
  await usedFrom.fill('203.0.113.0/24');
  await usedFrom.press('Enter');
  await expect(page.getByText('No key matches these filters')).toBeVisible();
  await expect(usedFrom).toBeFocused();
  await expect(selection).toBeHidden();
  await expectAccessible(page, 'more filters of keys');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rowOf(page, name)).toBeVisible();
});

test('selected keys are paused, and resumed, with a reason and no typed words', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const keys = [await givenApiKey(), await givenApiKey()];
  await page.goto('settings/api-keys');
  for (const [act, result, status] of [
    ['Pause', 'paused', 401],
    ['Resume', 'resumed', 200],
  ] as const) {
    for (const { name } of keys) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    }
    await page.getByRole('button', { name: `${act}…` }).click();
    const dialog = page.getByRole('dialog', { name: `${act} 2 keys` });
    await expect(dialog.getByRole('list')).toContainText('an hour');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Moving to a new host');
    await dialog.getByRole('button', { name: `${act} 2 keys` }).click();
    await expect(page.getByRole('heading', { level: 1, name: `2 keys ${result}` })).toBeVisible();
    for (const { token } of keys) expect(await statusOf(request, token)).toBe(status);
    await page.getByRole('link', { name: 'API keys' }).first().click();
  }
});

// `incidents.test.ts` of the service covers cancelling and trying again in the ordinary run.
test('an incident asks for the password, can be cancelled, and keys that failed can be tried again', async ({
  control,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 403/);
  // Enough keys for several steps of a second each. The newest key comes first.
  const names = Array.from({ length: 300 }, (_, index) => `Bulk ${index}`);
  const accountId = service.account.id;
  await control.addActiveKeys({ accountId, names, tokensEach: 1 });
  await control.addActiveKeys({ accountId, names: ['Full of tokens'], tokensEach: 20 });
  await expireProof(control);
  await page.goto('settings/api-keys');
  await chooseCreator(page, /^Suite \(left\)$/);
  await page.getByRole('checkbox', { name: 'Select Full of tokens' }).check();
  await page.getByRole('button', { name: 'Select all 301' }).click();
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Rotate…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate 301 keys' });
  await dialog.getByRole('radio', { name: 'In 1 hour' }).check();
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('Leaked to a log');
  await dialog.getByRole('textbox', { name: 'Type these words' }).fill('rotate 301 keys');
  await dialog.getByRole('button', { name: 'Rotate 301 keys' }).click();
  await proveIdentity(proofPrompt(page), service.owner);

  await expect(rowOf(page, 'Full of tokens')).toContainText('This key has 20 valid tokens');
  await page.getByRole('button', { name: 'Cancel the rest' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: /^\d+ of 301 keys rotated$/ }),
  ).toBeVisible();
  await expect(page.getByText(/ 1 failed, \d+ cancelled by /)).toBeVisible();

  await page.getByRole('button', { name: 'Try again with 1 key' }).click();
  const again = page.getByRole('dialog', { name: 'Rotate 1 key' });
  await expect(again.getByRole('textbox', { name: 'What happened' })).toHaveValue(
    'Leaked to a log',
  );
  await expect(again.getByRole('radio', { name: 'In 1 hour' })).toBeChecked();
  await again.getByRole('radio', { name: 'Now' }).check();
  await again.getByRole('textbox', { name: 'Type these words' }).fill('rotate 1 key');
  await again.getByRole('button', { name: 'Rotate 1 key' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '1 key rotated' })).toBeVisible();
  await page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Leaked to a log' })).toHaveCount(2);
});

async function chooseCreator(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Created by' }).click();
  await page.getByRole('option', { name }).click();
}
