import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { choose, menuOf, openRotation, rowOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { asDashboard } from '../pages/identity.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';

test('a rotation starts on Cancel and states what follows, and the old token works until the chosen time', async ({
  between,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const [key, leaked] = [await givenApiKey(), await givenApiKey()];
  const ask = (token: string) => request.get('/api/v1/api-key', { headers: bearer(token) });
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
  await expect(menuOf(page, key.name)).toBeFocused();
  expect((await ask(key.token)).headers()['api-key-expires']).toBeUndefined();

  const { promise: isRotatedAgain, resolve: letListBeRead } = Promise.withResolvers<void>();
  between.answer('GET', /^\/api\/v1\/api-keys(\?|$)/, async ({ pass }) => {
    await isRotatedAgain;
    return await pass();
  });
  const before = Date.now();
  await choose(page, key.name, 'Rotate token');
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  await rotate.click();
  const token = await readSecretOnce(page);
  expect(token).not.toBe(key.token);
  const byOld = await ask(key.token);
  expect(byOld.status()).toBe(200);
  const end = Date.parse(byOld.headers()['api-key-expires'] ?? '');
  expect((end - before) / 3_600_000).toBeCloseTo(24, 1);
  const byNew = await ask(token);
  expect(byNew.status()).toBe(200);
  expect(byNew.headers()['api-key-expires']).toBeUndefined();

  // It can be rotated again before the list has been read again.
  const row = rowOf(page, key.name);
  await expect(row).toContainText(token.slice(-4));
  await choose(page, key.name, 'Rotate token');
  await rotate.click();
  await expect(secretDialog(page).value).toHaveValue(/^sk_live_/);
  letListBeRead();
  const latest = await readSecretOnce(page);
  await expect(row).toContainText('Rotating');
  await expect(row).toContainText(latest.slice(-4));
  await expect(row).toContainText(/2 old tokens until \d/);
  await expectAccessible(page, 'keys');
  await choose(page, key.name, 'Rotate token');
  const line = (of: string) =>
    question.getByRole('listitem').filter({ hasText: `…${of.slice(-4)}` });
  await expect(line(latest)).toContainText('Replaced immediately');
  await expect(ends).toHaveAccessibleDescription(/was never used, so the new token replaces it/);
  for (const kept of [token, key.token]) await expect(line(kept)).toContainText(/Works until \d/);
  await expectAccessible(page, 'rotate', question);
  await ends.getByRole('radio', { name: 'Now' }).check();
  for (const known of [latest, token, key.token]) {
    await expect(line(known)).toContainText('Ends immediately');
  }
  await cancel.click();

  await choose(page, leaked.name, 'Rotate token');
  await page.getByRole('radio', { name: 'Now' }).check();
  await page.getByRole('button', { name: `Rotate ${leaked.name}`, exact: true }).click();
  const fresh = await readSecretOnce(page);
  expect((await ask(leaked.token)).status()).toBe(401);
  expect((await ask(fresh)).status()).toBe(200);
  await expect(rowOf(page, leaked.name)).toContainText('Active');
});

test('of two tabs that rotate one key, the second is told who did it and when', async ({
  givenApiKey,
  request,
  service,
  session,
  signedIn: page,
}) => {
  test.skip(isRemote, 'rotates with the credential of a server of its own');
  const key = await givenApiKey();
  const staleQuestion = await openRotation(page, key.name);
  // What the other tab has its dashboard send.
  const rotated = await request.post(`/api/v1/api-keys/${key.uuid}/rotate`, {
    headers: asDashboard(service, session),
    data: { grace_period_seconds: 3600, expected_last_four: key.token.slice(-4) },
  });
  const { data } = (await rotated.json()) as { data: { token: string } };

  await staleQuestion.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const refusal = staleQuestion.getByRole('alert');
  await expect(refusal).toContainText(`${key.name} was not rotated`);
  await expect(refusal).toContainText(/already rotated at .+ by ada\./);
  await expect(secretDialog(page).root).toBeHidden();

  const byNew = await request.get('/api/v1/api-key', { headers: bearer(data.token) });
  expect(byNew.headers()['api-key-expires']).toBeUndefined();
  await staleQuestion.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, key.name)).toContainText(data.token.slice(-4));
});

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
