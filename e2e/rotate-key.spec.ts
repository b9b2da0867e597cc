import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { choose, openApiKeys, openRotation, rowOf, submitRotation } from './pages/api-keys.ts';
import { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';

test('after a rotation the old token still answers, and says until when', async ({
  givenApiKey,
  request,
  rotateApiKey,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const before = Date.now();
  const token = await rotateApiKey(key.name, 'In 24 hours');
  expect(token).not.toBe(key.token);

  const byOld = await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  expect(byOld.status()).toBe(200);
  const end = Date.parse(byOld.headers()['api-key-expires'] ?? '');
  expect((end - before) / 3_600_000).toBeCloseTo(24, 1);

  const byNew = await request.get('/api/v1/api-key', { headers: bearer(token) });
  expect(byNew.status()).toBe(200);
  expect(byNew.headers()['api-key-expires']).toBeUndefined();

  const row = rowOf(page, key.name);
  await expect(row).toContainText('Rotating');
  await expect(row).toContainText(token.slice(-4));
  await expect(row).toContainText(/Old token until \d/);
});

test('rotated with "Now", the old token ends at once', async ({
  givenApiKey,
  request,
  rotateApiKey,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const token = await rotateApiKey(key.name, 'Now');

  const byOld = await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  expect(byOld.status()).toBe(401);
  const byNew = await request.get('/api/v1/api-key', { headers: bearer(token) });
  expect(byNew.status()).toBe(200);
  await expect(rowOf(page, key.name)).toContainText('Active');
});

test('a key can be rotated again before the list has been read again', async ({
  between,
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await submitRotation(page, name);
  const dialog = secretDialog(page);
  await expect(dialog.value).toBeVisible();
  const { promise: isRotatedAgain, resolve: letListBeRead } = Promise.withResolvers<void>();
  between.answer('GET', /^\/api\/v1\/api-keys(\?|$)/, async ({ pass }) => {
    await isRotatedAgain;
    return await pass();
  });

  const token = await readSecretOnce(page);
  await expect(rowOf(page, name)).toContainText(token.slice(-4));
  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  letListBeRead();
});

test('the question before a rotation begins on Cancel, states the consequence, and rotates nothing when left', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const question = await openRotation(page, key.name);
  const cancel = question.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeFocused();
  await expect(question).toContainText('Never');

  const ends = question.getByRole('group', { name: 'The old token ends' });
  await expect(ends.getByRole('radio', { name: 'In 24 hours' })).toBeChecked();
  await expect(ends).toHaveAccessibleDescription(/until \d+ \w{3} \d{4}, \d\d:\d\d UTC/);
  await ends.getByRole('radio', { name: 'Now' }).check();
  await expect(ends).toHaveAccessibleDescription(/rejected with 401 immediately/);

  await cancel.click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: `Actions for ${key.name}` })).toBeFocused();
  const answer = await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  expect(answer.headers()['api-key-expires']).toBeUndefined();
});

test('of two tabs that rotate one key, the second is told who did it and when', async ({
  context,
  givenApiKey,
  request,
  signedIn: first,
}) => {
  const key = await givenApiKey();
  const second = await context.newPage();
  const staleQuestion = await openRotation(second, key.name);

  // A page behind another one is drawn seldom, and waited for long.
  await first.bringToFront();
  await submitRotation(first, key.name, 'In 1 hour');
  const token = await readSecretOnce(first);

  await second.bringToFront();
  await staleQuestion.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const refusal = staleQuestion.getByRole('alert');
  await expect(refusal).toContainText(`${key.name} was not rotated`);
  await expect(refusal).toContainText(
    isRemote ? /already rotated at .+ by \S/ : /already rotated at .+ by ada\./,
  );
  await expect(secretDialog(second).root).toBeHidden();

  const byNew = await request.get('/api/v1/api-key', { headers: bearer(token) });
  expect(byNew.headers()['api-key-expires']).toBeUndefined();
  await staleQuestion.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(second, key.name)).toContainText(token.slice(-4));
});

test('a key in rotation can be rotated again, and names both tokens before', async ({
  givenApiKey,
  rotateApiKey,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const token = await rotateApiKey(key.name, 'In 7 days');
  const question = await openRotation(page, key.name);
  await expect(question).toContainText(key.token.slice(-4));
  await expect(question).toContainText(token.slice(-4));
  await question.getByRole('button', { name: 'Cancel' }).click();
  await openApiKeys(page);
  await expect(rowOf(page, key.name)).toContainText('Rotating');
});

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
