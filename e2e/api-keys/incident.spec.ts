import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { bearer, openApiKeys, rowOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { readSecretOnce } from '../pages/secret-dialog.ts';

test('in an incident many keys are chosen, rotated or revoked at once, and each new token is shown once', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const keys = [await givenApiKey(), await givenApiKey()];
  const [one, other] = keys;
  if (!one || !other) throw new Error('there are two keys');
  const statusOf = async (token: string) =>
    (await request.get('/api/v1/api-key', { headers: bearer(token) })).status();
  for (const { token } of keys) expect(await statusOf(token)).toBe(200);

  await test.step('the keys are chosen by who created them', async () => {
    await openApiKeys(page);
    await page.getByRole('link', { name: 'Incident' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Incident' })).toBeVisible();
    await chooseCreator(page, /^API key .+ \(2 keys\)$/);
    await expect(page.getByText('2 of 2 keys chosen, out of 3 live ones')).toBeVisible();
    await expect(rowOf(page, one.name)).toContainText('In use now');
    await page.getByRole('checkbox', { name: `Include ${other.name}` }).uncheck();
    await expect(page.getByRole('button', { name: 'Rotate 1 key' })).toBeVisible();
    await page.getByRole('checkbox', { name: `Include ${other.name}` }).check();
    await expectAccessible(page, 'choosing keys');
  });

  await test.step('what would end is shown, and nothing is done without reason and words', async () => {
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
    await expect(start).toHaveAccessibleDescription('Say what happened first.');
    await dialog.getByRole('textbox', { name: 'What happened' }).fill('Laptop stolen');
    for (const { token } of keys) expect(await statusOf(token)).toBe(200);
    await start.click();
  });

  await test.step('each key has a new token, which is shown once', async () => {
    await expect(page.getByRole('heading', { level: 1, name: '2 keys rotated' })).toBeVisible();
    for (const { token } of keys) expect(await statusOf(token)).toBe(401);
    await page.reload();
    await expect(page.getByText('2 keys have a new token')).toBeVisible();
    await expect(rowOf(page, one.name)).toContainText('Nobody was shown the new token');
    await expectAccessible(page, 'results');
    await page.getByRole('button', { name: `Show a new one of ${one.name}` }).click();
    const question = page.getByRole('alertdialog', { name: `Show a new token of ${one.name}` });
    await question.getByRole('button', { name: 'Show a new one' }).click();
    const token = await readSecretOnce(page);
    expect(await statusOf(token)).toBe(200);
    await expect(page.getByText('1 key has a new token')).toBeVisible();
    await expect(page.getByRole('button', { name: `Show a new one of ${one.name}` })).toBeHidden();
  });

  await test.step('they are revoked as well, and the incident before is listed', async () => {
    await page.getByRole('link', { name: 'Incident', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Laptop stolen' })).toBeVisible();
    await chooseCreator(page, /^API key .+ \(2 keys\)$/);
    await page.getByRole('button', { name: 'Revoke 2 keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 keys' });
    await dialog.getByRole('textbox', { name: 'What happened' }).fill('Leaked to a log');
    await dialog.getByRole('textbox', { name: 'Type these words' }).fill('revoke 2 keys');
    await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '2 keys revoked' })).toBeVisible();
    await page.getByRole('link', { name: other.name }).click();
    await expect(page.getByText('Reason: Leaked to a log.')).toBeVisible();
  });
});

async function chooseCreator(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: 'Created by' }).click();
  await page.getByRole('option', { name }).click();
}
