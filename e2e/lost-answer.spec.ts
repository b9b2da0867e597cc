import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { choose, openRotation, rowOf } from './pages/api-keys.ts';
import { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';
import { openDeletion, openRegeneration, openWebhooks, readWebhook } from './pages/webhooks.ts';

test.beforeEach(({ guard }) => {
  guard.allow(/request failed \(net::ERR_FAILED\): POST|Failed to load resource: net::ERR_FAILED/);
});

test('a rotation whose answer is lost says so; pressed again it gives a token, and the one nobody saw is dead', async ({
  api,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const question = await openRotation(page, key.name);
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  const lost = await loseNextAnswer(page);
  await rotate.click();

  const refusal = question.getByRole('alert');
  await expect(refusal).toContainText(`It is unknown whether ${key.name} was rotated`);
  await expect(refusal).toContainText('Rotating again is safe');
  const unseen = tokenIn(await lost.answer);
  await expect(secretDialog(page).root).toBeHidden();
  // The dialog has read how the key stands: it was rotated, and says what is in use now.
  await expect(question).toContainText(unseen.slice(-4));
  const [state] = await keysNamed(api, key.name);
  expect(state?.last_four).toBe(unseen.slice(-4));
  const end = state?.previous_token?.valid_until;
  expect(end).toBeDefined();

  await rotate.click();
  const token = await readSecretOnce(page);
  expect(token).not.toBe(unseen);
  expect((await request.get('/api/v1/api-key', { headers: bearer(token) })).status()).toBe(200);
  const byUnseen = await request.get('/api/v1/api-key', { headers: bearer(unseen) });
  expect(byUnseen.status()).toBe(401);
  const byOld = await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  expect(byOld.status()).toBe(200);
  expect(byOld.headers()['api-key-expires']).toBeDefined();
  const [after] = await keysNamed(api, key.name);
  expect(after?.previous_token).toMatchObject({
    last_four: key.token.slice(-4),
    valid_until: end,
  });
});

test('a key whose creation was not answered is found as the form says, and rotating it gives a token', async ({
  api,
  named,
  signedIn: page,
}) => {
  const name = named('Perhaps made');
  await page.goto('/settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Bot' }).check();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  const lost = await loseNextAnswer(page);
  await page.getByRole('button', { name: 'Create key' }).click();

  await expect(page.getByText('It is unknown whether the key was created')).toBeVisible();
  await expect(page.getByText(/Look for its name in the list before you try again/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await expect(page.getByRole('radio', { name: 'Bot' })).toBeChecked();
  const unseen = tokenIn(await lost.answer);

  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(rowOf(page, name)).toContainText(unseen.slice(-4));
  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const token = await readSecretOnce(page);
  expect(await keysNamed(api, name)).toMatchObject([{ last_four: token.slice(-4) }]);
});

test('a new signing secret whose answer is lost is made anew, and the old one signs on', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const before = await readWebhook(api, uuid);
  const question = await openRegeneration(page, name);
  const regenerate = question.getByRole('button', { name: 'Regenerate secret' });
  const lost = await loseNextAnswer(page);
  await regenerate.click();
  await expect(question).toContainText('It is unknown whether a new secret was made');
  await expect(question).toContainText('If one was made, nobody has it');
  const [unseen = ''] = /whsec_[\w+/=]+/.exec(await lost.answer) ?? [];
  expect(unseen).toMatch(/^whsec_/);

  await regenerate.click();
  const secret = await readSecretOnce(page);
  expect(secret).not.toBe(unseen);
  const after = await readWebhook(api, uuid);
  expect(after.secret.created_at).not.toBe(before.secret.created_at);
  expect(Date.parse(after.secret.previous_valid_until ?? '')).toBeGreaterThan(Date.now());
});

test('a deletion whose answer is lost says so, and pressed again it is over', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook();
  const question = await openDeletion(page, name);
  const lost = await loseNextAnswer(page);
  await question.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(question).toContainText(`Delete ${name}: unknown whether it was done`);
  await expect(question).toContainText('Deleting again is safe');
  await lost.answer;
  expect((await api.get(`/api/v1/webhooks/${uuid}`)).status()).toBe(404);

  await question.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(question).toBeHidden();
  await openWebhooks(page);
  await expect(rowOf(page, name)).toBeHidden();
});

test('a revocation whose answer is lost says so, and the list then tells how the key stands', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await page.goto('/settings/api-keys');
  await choose(page, name, `Revoke ${name}`);
  const question = page.getByRole('alertdialog', { name: `Revoke ${name}`, exact: true });
  const lost = await loseNextAnswer(page);
  await question.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
  await expect(question).toContainText(`Revoke ${name}: unknown whether it was done`);
  await lost.answer;
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, name)).toContainText('Revoked');
});

/**
 * The next server action of this page reaches the service and is done; the connection breaks before
 * its answer arrives. Gives the answer that was lost.
 */
async function loseNextAnswer(page: Page): Promise<{ answer: Promise<string> }> {
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  let isLost = false;
  await page.route(
    (url) => url.pathname.startsWith('/settings/'),
    async (route) => {
      if (isLost || route.request().headers()['next-action'] === undefined) {
        await route.fallback();
        return;
      }
      isLost = true;
      const fetched = await route.fetch();
      resolve(await fetched.text());
      await route.abort('failed');
    },
  );
  return { answer };
}

function tokenIn(answer: string): string {
  const [token] = /sk_live_\w+/.exec(answer) ?? [];
  if (token === undefined) throw new Error('the lost answer held no token');
  return token;
}

type ApiKey = {
  name: string;
  last_four: string;
  previous_token: { last_four: string; valid_until: string } | null;
};

async function keysNamed(api: APIRequestContext, name: string): Promise<ApiKey[]> {
  const answer = await api.get('/api/v1/api-keys');
  const { data } = (await answer.json()) as { data: ApiKey[] };
  return data.filter((key) => key.name === name);
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
