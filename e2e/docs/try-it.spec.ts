import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import {
  expectAccessible,
  proofPrompt,
  proveIdentity,
  readData,
  rowOf,
  signInPrompt,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { endOnService, expireProof } from '../helpers/as-dashboard.ts';

const keys = '/docs/reference/api-keys';
const tryItOf = (page: Page) => page.getByRole('region', { name: 'Try it' });

/** Fills in the form, presses Run, and returns the question that comes before anything is done. */
async function askToRun(
  page: Page,
  { path, title, ...given }: { path: string; title: string; params: object; body?: object },
): Promise<Locator> {
  await page.goto(path);
  const tryIt = tryItOf(page);
  for (const [name, value] of Object.entries(given.params)) {
    await tryIt.getByRole('textbox', { name, exact: true }).fill(String(value));
  }
  if (given.body) {
    await tryIt.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify(given.body));
  }
  await tryIt.getByRole('button', { name: 'Run' }).click();
  return page.getByRole('alertdialog', { name: title });
}

const rename = (uuid: string, body: object) => ({
  path: `${keys}/update-api-key`,
  title: 'Change an API key',
  params: { apiKey: uuid },
  body,
});

test('someone who is signed in reads an operation in their account without a token', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { uuid, name } = await givenApiKey({ name: named('Tried') });
  await page.goto(`${keys}/get-api-key`);
  const tryIt = tryItOf(page);
  await tryIt.getByRole('textbox', { name: 'apiKey' }).fill(uuid);
  await tryIt.getByRole('button', { name: 'Run' }).click();
  await expect(tryIt.getByRole('status')).toContainText(`"name": "${name}"`);
  await expect(tryIt.getByRole('status')).toContainText(/\d+ ms, as /);
  await expectAccessible(page, 'a call that was tried');
});

test('a change is made in the account that the question names, and its response is shown', async ({
  account,
  control,
  givenApiKey,
  named,
  service,
  signedIn: page,
}) => {
  const { uuid, name } = await givenApiKey({ name: named('Before') });
  const after = named('After');
  const question = await askToRun(page, rename(uuid, { name: after }));
  await expect(question).toContainText(`the real account ${account.name} as `);
  await expect(question).toContainText(`PATCH /api/v1/api-keys/${uuid}`);
  await expect(question).toContainText(`"name": "${after}"`);
  await expectAccessible(page, 'the question before a change', question);

  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(tryItOf(page).getByRole('button', { name: 'Run' })).toBeFocused();
  await expect(tryItOf(page).getByRole('status')).toBeEmpty();

  await expireProof(control);
  await tryItOf(page).getByRole('button', { name: 'Run' }).click();
  await question.getByRole('button', { name: `Run in ${account.name}` }).click();
  await proveIdentity(proofPrompt(page), service.owner);
  const status = tryItOf(page).getByRole('status');
  await expect(status).toContainText(`"name": "${after}"`);
  await expect(status).toContainText('200');
  await expect(question).toHaveCount(0);

  await page.goto('settings/api-keys');
  await expect(rowOf(page, after)).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
});

test('a wrong input is shown at its field, with the error as the API responds with it', async ({
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { uuid } = await givenApiKey({ name: named('Kept') });
  const question = await askToRun(page, rename(uuid, { name: '' }));
  await question.getByRole('button', { name: /^Run in / }).click();
  const body = tryItOf(page).getByRole('textbox', { name: 'Body' });
  await expect(body).toHaveAccessibleDescription(/^name: /);
  await expect(tryItOf(page).getByRole('status')).toContainText('"code": "VALIDATION_ERROR"');
  await expectAccessible(page, 'a change with an error');

  await body.fill('{');
  await tryItOf(page).getByRole('button', { name: 'Run' }).click();
  await expect(body).toHaveAccessibleDescription('This is not valid JSON.');
  await expect(question).toHaveCount(0);

  const missing = await askToRun(page, {
    path: `${keys}/pause-api-key`,
    title: 'Pause an API key',
    params: { apiKey: crypto.randomUUID() },
  });
  await missing.getByRole('button', { name: /^Run in / }).click();
  await expect(tryItOf(page).getByRole('status')).toContainText('"code": "NOT_FOUND"');
  await expect(tryItOf(page).getByRole('status')).toContainText(/Request ID \S+/);
});

test('after the end of the session, a change goes on once its person has signed in again', async ({
  givenApiKey,
  named,
  request,
  service,
  session,
  signedIn: page,
}) => {
  const { uuid } = await givenApiKey({ name: named('Before') });
  const after = named('After');
  const question = await askToRun(page, rename(uuid, { name: after }));
  await endOnService(request, { service, cookies: session });
  await question.getByRole('button', { name: /^Run in / }).click();
  await proveIdentity(signInPrompt(page), service.owner);
  await expect(tryItOf(page).getByRole('status')).toContainText(`"name": "${after}"`);
});

test('someone whose role lacks the right gets the refusal of the API, with its reason', async ({
  api,
  givenApiKey,
  named,
  signedInAs,
}) => {
  const { uuid, name } = await givenApiKey({ name: named('Kept') });
  const page = await signedInAs('viewer');
  const question = await askToRun(page, rename(uuid, { name: named('Other') }));
  await question.getByRole('button', { name: /^Run in / }).click();
  const status = tryItOf(page).getByRole('status');
  await expect(status).toContainText('"code": "FORBIDDEN"');
  await expect(status).toContainText('/docs/errors/role');
  await expect(status).toContainText(/Request ID \S+/);
  const key = await readData<{ name: string }>(await api.get(`/api/v1/api-keys/${uuid}`));
  expect(key.name).toBe(name);
});

test('an operation that shows a token or secret, or is only for keys, says where else to run it', async ({
  account,
  signedIn: page,
}) => {
  await page.goto(`${keys}/create-api-key`);
  await expect(page.getByText('a token, which is shown only once')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Create key' })).toHaveAttribute(
    'href',
    `/a/${account.id}/settings/api-keys/new`,
  );
  await expect(tryItOf(page)).toHaveCount(0);

  await page.goto('/docs/reference/conversations/create-conversation');
  await expect(page.getByText('This operation is only for API keys.')).toBeVisible();
  await expect(tryItOf(page)).toHaveCount(0);
});

test('the handlers behind Run refuse operations whose response has a token', async ({
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const { uuid } = await givenApiKey({});
  await page.goto('settings/api-keys');
  for (const method of ['GET', 'POST']) {
    const status = await page.evaluate(
      async ([key, sent]) =>
        (await fetch(`../data/rotateApiKey?params.apiKey=${key}`, { method: sent ?? '' })).status,
      [uuid, method],
    );
    expect(status, method).toBe(404);
  }
});
