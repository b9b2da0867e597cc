import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie, Locator } from '@playwright/test';
import {
  bearer,
  choiceOf,
  openApiKeys,
  openRotation,
  readData,
  rowOf,
  secretDialog,
  statusOf,
} from 'conversation-service-playwright-kit';
import { asDashboard, createKeyAs } from '../helpers/as-dashboard.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { test } from '../fixtures.ts';
import { addMember, pageOf, sessionOf } from '../pages/people/members.ts';

test('before a key is widened whose token was shown to support, the form says so, and offers to rotate the key after saving', async ({
  givenApiKey,
  request,
  service,
  signedIn: page,
}) => {
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const rotated = await request.post(`/api/v1/api-keys/${key.uuid}/rotate`, {
    headers: asDashboard(service, (await sessionOf(service, sam)).cookies),
    data: { grace_period_seconds: 3600 },
  });
  const { token } = await readData<{ token: string }>(rotated);

  await page.goto(`settings/api-keys/${key.uuid}/edit`);
  const warning = page.getByRole('status').filter({ hasText: 'A token of this key was shown to' });
  await page.getByRole('textbox', { name: 'Name' }).fill(`${key.name} 2`);
  await expect(warning).toBeHidden();
  await choiceOf(page, 'scopes', 'messages:write').check();
  await expect(warning).toContainText('sam (support)');
  await expect(warning).toContainText(token.slice(-4));
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('dialog', { name: `Rotate ${key.name} 2` })).toBeVisible();
});

test('of two tabs that rotate one key, the second is told who did it and when', async ({
  givenApiKey,
  request,
  service,
  session,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const staleQuestion = await openRotation(page, key.name);
  await expect(staleQuestion.getByRole('list')).toContainText('Works until');
  const newToken = await rotateInOtherTab(request, { service, session, key });

  // The refused preview makes the dialog show the new token, but the person was asked about the old one.
  await staleQuestion.getByRole('radio', { name: 'In 7 days' }).click();
  await expect(staleQuestion).toContainText(newToken.slice(-4));
  await staleQuestion.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  await expectRefusal(staleQuestion, `${key.name} was not rotated`);

  const byNew = await request.get('/api/v1/api-key', { headers: bearer(newToken) });
  expect(byNew.headers()['api-key-expires']).toBeUndefined();
  await staleQuestion.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, key.name)).toContainText(newToken.slice(-4));
});

test('a key that another tab rotates while this one asks to show a new token keeps the token of that tab, and the press is told who did it and when', async ({
  named,
  request,
  service,
  session,
  signedIn: page,
}) => {
  const name = named('Key');
  const { account } = service;
  const of = { name, service, cookies: session, accountId: account.id };
  const key = await createKeyAs(request, of);
  await page.goto(`settings/api-keys/${key.uuid}`);
  await page.getByRole('button', { name: 'Show a new token' }).click();
  const question = page.getByRole('alertdialog', { name: `Show a new token of ${name}` });
  await expect(question).toContainText(key.token.slice(-4));
  const newToken = await rotateInOtherTab(request, { service, session, key });

  await question.getByRole('button', { name: 'Show a new token' }).click();
  await expectRefusal(question, 'No new token was created');
  expect(await statusOf(request, newToken)).toBe(200);
});

test('the dialog to rotate has the operator’s grace period selected, and offers support staff only what they may give', async ({
  browser,
  control,
  givenApiKey,
  service,
  signedIn: page,
}) => {
  const { name } = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await control.change({ rotationGraceSeconds: 7200 });
  const question = await openRotation(page, name);
  await expect(question.getByRole('radio', { name: 'In 2 hours' })).toBeChecked();
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(secretDialog(page).root).toContainText('for 2 hours');

  const other = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await control.change({ rotationGraceSeconds: 60 });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  const asked = await openRotation(await pageOf(browser, service, sam), other.name);
  await expect(asked.getByRole('radio', { name: 'In 1 hour' })).toBeChecked();
  await expect(asked.getByRole('radio')).toHaveCount(3);
});

test('after a rotation the page watches for calls with the old token, and ending it warns of one that was made in the meantime', async ({
  api,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const { token, uuid } = await givenApiKey();
  const lastFour = token.slice(-4);
  expect((await api.post(`/api/v1/api-keys/${uuid}/rotate`)).status()).toBe(201);
  await page.goto(`settings/api-keys/${uuid}`);
  await expect(page.getByText(`Watching for calls with …${lastFour}`)).toBeVisible();
  await expect(page.getByText('end the old one now')).toBeHidden();

  await page.getByRole('button', { name: /^End now/ }).click();
  const question = page.getByRole('alertdialog', { name: `End token …${lastFour}` });
  await expect(question).toContainText('It was replaced less than two minutes ago.');
  expect((await request.get('/api/v1/api-key', { headers: bearer(token) })).ok()).toBe(true);
  await expect(question).toContainText('It was used after it was replaced.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/was used .+ after it was replaced/)).toBeVisible();
});

test('a token that is pasted into the search of keys is found by its digest, also after it ended', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const { name, token, uuid } = await givenApiKey();
  await api.post(`/api/v1/api-keys/${uuid}/rotate`, { data: { grace_period_seconds: 0 } });
  await openApiKeys(page);
  const search = page.getByRole('searchbox', { name: 'Search keys' });
  await search.fill(token);
  await expect(page.getByText(new RegExp(`^Token of ${name}, ended \\d`))).toBeVisible();
  await expect(rowOf(page, name)).toBeVisible();
  await expect(search).toHaveValue(`…${token.slice(-4)}`);
  expect(page.url()).not.toContain(token.slice(8, 30));

  await search.fill(`sk_live_${'a'.repeat(34)}${token.slice(-4)}`);
  await expect(page.getByText('No key has this token')).toBeVisible();
  await expect(rowOf(page, name)).toBeHidden();
});

test('a key that is revoked elsewhere while the dialog is open cannot be rotated there, and the dialog promises no new token', async ({
  api,
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
  const question = await openRotation(page, name);
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  const tokens = question.getByRole('list', { name: 'Tokens after the rotation' });
  await expect(tokens).toContainText('Works until');
  expect((await api.delete(`/api/v1/api-keys/${uuid}`)).ok()).toBe(true);
  await rotate.click();
  await expect(question.getByRole('alert')).toContainText(`${name} was not rotated`);
  await expect(question).toContainText('This key is revoked. Create a new one.');
  await expect(tokens).toBeHidden();
  await expect(question.getByRole('radio')).toHaveCount(0);
  await expect(rotate).toBeDisabled();
  await expect(question).not.toContainText('Creates a new token');
  await expect(question.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
});

/** Sends the request that the dashboard would send for another tab, and returns the new token. */
async function rotateInOtherTab(
  request: APIRequestContext,
  of: { service: Service; session: readonly Cookie[]; key: { uuid: string; token: string } },
): Promise<string> {
  const rotated = await request.post(`/api/v1/api-keys/${of.key.uuid}/rotate`, {
    headers: asDashboard(of.service, of.session),
    data: { grace_period_seconds: 3600, expected_last_four: of.key.token.slice(-4) },
  });
  return (await readData<{ token: string }>(rotated)).token;
}

/** The dialog says what was not done, who rotated the key and when, and no token is shown. */
async function expectRefusal(question: Locator, notDone: string): Promise<void> {
  const refusal = question.getByRole('alert');
  await expect(refusal).toContainText(notDone);
  await expect(refusal).toContainText(/already rotated on .+ by ada\./);
  await expect(secretDialog(question.page()).root).toBeHidden();
}
