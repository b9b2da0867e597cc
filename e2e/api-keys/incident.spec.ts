import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { openApiKeys, rowOf, statusOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { expireProof, proofPrompt, proveIdentity } from '../pages/people/identity.ts';
import { readSecretOnce } from '../pages/secret-dialog.ts';

test('an incident rotates many chosen keys together, and shows each new token once', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const keys = [await givenApiKey(), await givenApiKey()];
  const [one, other] = keys;
  if (!one || !other) throw new Error('there are two keys');
  for (const { token } of keys) expect(await statusOf(request, token)).toBe(200);

  await test.step('the keys are filtered by their creator', async () => {
    await openApiKeys(page);
    await page.getByRole('link', { name: 'Incident' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Incident' })).toBeVisible();
    await chooseCreator(page, /^API key .+ \(2 keys\)$/);
    await expect(page.getByText('2 of 2 keys selected, out of 3 active keys')).toBeVisible();
    await expect(rowOf(page, one.name)).toContainText('In use now');
    await page.getByRole('checkbox', { name: `Include ${other.name}` }).uncheck();
    await page.getByRole('button', { name: 'Rotate 1 key' }).click();
    const ofOne = page.getByRole('dialog', { name: 'Rotate 1 key' });
    await expect(ofOne).toContainText('The key gets a new token');
    await expect(ofOne.getByRole('group', { name: 'The old token ends' })).toBeVisible();
    await expect(ofOne).toContainText('with this token');
    await ofOne.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('checkbox', { name: `Include ${other.name}` }).check();
    await expectAccessible(page, 'choosing keys');
  });

  await test.step('the dialog shows what would end, and nothing happens without a reason and the typed words', async () => {
    await page.getByRole('button', { name: 'Rotate 2 keys' }).click();
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
    await expect(start).toHaveAccessibleDescription('Enter what happened first.');
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

test('an incident covers the keys that are listed and chosen, not keys that were listed before or appear later', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await page.clock.install();
  await page.goto('settings/api-keys/incident');
  const revoke = page.getByRole('button', { name: 'Revoke 2 keys' });
  const usedFrom = page.getByRole('textbox', { name: 'Used from' });

  await test.step('an incident can be started once the keys that match the filters are listed', async () => {
    const { promise: isAnswered, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/data/listIncidentKeys?query.address=*', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await usedFrom.fill('203.0.113.0/24');
    await revoke.click();
    await expect(revoke).toHaveAccessibleDescription(
      'The keys that match the filters are still loading.',
    );
    await expect(page.getByRole('dialog')).toBeHidden();
    release();
    await expect(page.getByText('No active keys match')).toBeVisible();
    await page.getByRole('button', { name: 'Show all active keys' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Incident' })).toBeFocused();
    await usedFrom.fill('203.0.113.7');
    await usedFrom.press('Enter');
    await expect(page.getByText('No active keys match')).toBeVisible();
    await expect(usedFrom).toBeFocused();
    await usedFrom.fill('');
    await usedFrom.press('Enter');
    await expect(revoke).toBeVisible();
  });

  await test.step('a key that is created after others were chosen is not chosen', async () => {
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('checkbox', { name: `Include ${name}` }).check();
    const later = await givenApiKey();
    await page.clock.runFor(31_000);
    await expect(page.getByText('1 of 3 active keys selected')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: `Include ${later.name}` })).not.toBeChecked();
    await page.getByRole('button', { name: 'Select all' }).click();
    await expect(page.getByText('3 of 3 active keys selected')).toBeVisible();
  });
});

// `incidents.test.ts` of the service covers cancelling and trying again in the ordinary run.
test('an incident asks for the password, can be cancelled, and keys that failed can be tried again', async ({
  control,
  guard,
  service,
  signedIn: page,
}) => {
  test.skip(isRemote, 'makes more keys than a real account should have');
  guard.allow(/status of 403/);
  // Enough keys for several steps of a second each. The newest key comes first.
  const names = Array.from({ length: 300 }, (_, index) => `Bulk ${index}`);
  const accountId = service.account?.id ?? '';
  await control.addActiveKeys({ accountId, names, tokensEach: 1 });
  await control.addActiveKeys({ accountId, names: ['Full of tokens'], tokensEach: 20 });
  await expireProof(control);
  await page.goto('settings/api-keys/incident');
  await chooseCreator(page, /^Suite \(301 keys\)$/);
  await page.getByRole('button', { name: 'Revoke 301 keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Rotate 301 keys' }).click();
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
  await page.getByRole('link', { name: 'Incident', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Leaked to a log' })).toHaveCount(2);
});

async function chooseCreator(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: 'Created by' }).click();
  await page.getByRole('option', { name }).click();
}
