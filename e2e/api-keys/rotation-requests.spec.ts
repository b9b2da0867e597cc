import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie, Page } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import type { Service } from '../fixtures.ts';
import { bearer, choose, menuOf, openApiKeys, rowOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { asDashboard } from '../pages/identity.ts';
import { addMember, pageOf, sessionOf } from '../pages/members.ts';
import { loseNextAnswer, tokenIn } from '../pages/lose-next-answer.ts';
import { readSecretOnce } from '../pages/secret-dialog.ts';
import type { Person } from '../pages/sign-in.ts';

const account = 'Requests Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');

let ann: Person;
let sam: Cookie[];

/** The test's own page is that of Sam, who is support. */
test.beforeEach(async ({ context, service }) => {
  ann = await addMember(service, { name: 'ann', role: 'admin' });
  const person = await addMember(service, { name: 'sam', role: 'support' });
  sam = (await sessionOf(service, person)).cookies;
  await context.addCookies(sam);
});

test('support asks a member for a rotation, who rotates the key and alone sees the token', async ({
  browser,
  givenApiKey,
  page: support,
  request,
  service,
}) => {
  const key = await givenApiKey();
  await openApiKeys(support);
  await expect(
    support.getByText(/^As support you rotate keys, or ask somebody to\./),
  ).toBeVisible();
  await expect(support.getByRole('link', { name: 'Create key' })).toBeHidden();
  await choose(support, key.name, 'Request rotation');
  const dialog = support.getByRole('dialog', { name: `Request rotation of ${key.name}` });
  await expect(dialog).toContainText('Nothing changes until then');
  await expect(dialog).toContainText('after 72 hours');
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await expect(dialog.getByText('Choose who should rotate the key.')).toBeVisible();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();
  await expectAccessible(support, 'request with errors', dialog);

  await askFor(support, 'The token is lost', 'Before Friday');
  await expect(dialog).toBeHidden();
  await expect(menuOf(support, key.name)).toBeFocused();
  await expect(rowOf(support, key.name)).toContainText(
    /Rotation requested from ann by you, until \d+ \w{3}, \d\d:\d\d/,
  );

  const admin = await pageOf(browser, service, ann);
  const asked = admin.getByRole('region', { name: 'Rotation requests for you' });
  await expect(asked).toContainText(`sam asks you to rotate ${key.name}`);
  await expect(asked).toContainText('The token is lost. “Before Friday”');
  await expect(rowOf(admin, key.name)).toContainText('Rotation requested from you by sam');
  await expectAccessible(admin, 'keys with a request received');
  await asked.getByRole('button', { name: `Rotate and show the new token of ${key.name}` }).click();
  const question = admin.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(question).toContainText('sam asks for this.');
  await question.getByRole('radio', { name: 'Now' }).check();
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  // What it would do is known, so the rotation is the only action that follows.
  await expect(question).toContainText('are rejected with 401 immediately');
  const lost = await loseNextAnswer(admin);
  await rotate.click();
  await expect(question).toContainText(`It is unknown whether ${key.name} was rotated`);
  const unseen = tokenIn(await lost.answer);
  await expect(question).toContainText(unseen.slice(-4));
  await rotate.click();
  const token = await readSecretOnce(admin);
  await expect(asked).toBeHidden();
  await admin.context().close();

  expect(await statusesOf(request, [key.token, unseen, token])).toEqual([401, 401, 200]);
  await support.reload();
  await expect(rowOf(support, key.name)).toContainText(token.slice(-4));
  await expect(rowOf(support, key.name)).not.toContainText('Rotation requested');
  await expect(support.locator('body')).not.toContainText(token);
});

fullTest(
  'a second request names the open one, and requests can be withdrawn and declined',
  async ({ browser, givenApiKey, page: support, request, service }) => {
    const key = await givenApiKey();
    await support.goto(`settings/api-keys/${key.uuid}`);
    await support.getByRole('button', { name: 'Request rotation' }).click();
    // Meanwhile, in another tab; two of them are withdrawn there.
    await requestThreeTimes(request, { service, key });
    await askFor(support, 'It is due for rotation', 'After the release');
    const dialog = support.getByRole('dialog', { name: `Request rotation of ${key.name}` });
    await expect(dialog.getByText('The rotation was not requested')).toBeVisible();
    await expect(dialog).toContainText(
      /sam already asked ann to rotate this key\. Request [0-9a-f-]{36} is open until \d+ \w{3} \d{4}/,
    );
    await expect(dialog.getByRole('combobox', { name: 'Ask' })).toHaveText(/ann/);
    await expect(dialog.getByRole('radio', { name: 'It is due for rotation' })).toBeChecked();
    await expect(dialog.getByRole('textbox', { name: /^Note/ })).toHaveValue('After the release');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const open = support.getByText(/^Rotation requested from ann by you, until \d+ \w{3} \d{4}/);
    const notMailed = support.getByText('ann was sent three e-mails about this key within a day');
    await expect(open).toBeVisible();
    await expect(notMailed).toBeHidden();
    await support.getByRole('button', { name: 'Withdraw' }).click();
    const withdrawal = support.getByRole('alertdialog', { name: 'Withdraw request' });
    await withdrawal.getByRole('button', { name: 'Withdraw request' }).click();
    await expect(open).toBeHidden();
    await support.getByRole('button', { name: 'Request rotation' }).click();
    await askFor(support, 'The token is lost');
    await expect(open).toBeVisible();
    await expect(notMailed).toBeVisible();

    const admin = await pageOf(browser, service, {
      ...ann,
      address: `settings/api-keys/${key.uuid}`,
    });
    await admin.getByRole('button', { name: `Decline to rotate ${key.name}` }).click();
    const refusal = admin.getByRole('alertdialog', { name: 'Decline request' });
    await expect(refusal.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await refusal.getByRole('button', { name: 'Decline request' }).click();
    await expect(admin.getByText(`sam asks you to rotate ${key.name}`)).toBeHidden();
    await admin.context().close();
    await support.reload();
    await expect(support.getByRole('button', { name: 'Request rotation' })).toBeVisible();
  },
);

fullTest(
  'support rotates a key no stronger than its role, and revokes it only after reporting a leak',
  async ({ givenApiKey, page: support, request }) => {
    const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
    await request.get('/api/v1/api-key', { headers: bearer(small.token) });
    await support.goto(`settings/api-keys/${small.uuid}`);
    await support.getByRole('button', { name: 'Rotate token' }).click();
    const question = support.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
    await expect(question.getByRole('radio')).toHaveCount(3);
    await expect(question.getByRole('radio', { name: 'Now' })).toHaveCount(0);
    await question.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
    const token = await readSecretOnce(support);
    expect(token).toMatch(/^sk_live_/);
    await expect(support.getByText('Older', { exact: true })).toBeVisible();
    await expect(support.getByRole('button', { name: /^End now/ })).toHaveCount(0);
    await expect(support.getByRole('button', { name: 'Revoke now' })).toHaveCount(0);

    await support.getByRole('button', { name: 'Rotate token' }).click();
    await question.getByRole('button', { name: 'report the leak' }).click();
    const report = support.getByRole('dialog', { name: `Request rotation of ${small.name}` });
    await expect(report.getByRole('radio', { name: 'The token may have leaked' })).toBeChecked();
    await askFor(support, 'The token may have leaked');
    await support.getByRole('button', { name: 'Revoke now' }).click();
    await expect(support.getByRole('button', { name: 'Rotate token' })).toHaveCount(0);
    const revocation = support.getByRole('alertdialog', {
      name: `Revoke ${small.name}`,
      exact: true,
    });
    await expect(revocation.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(revocation).toContainText('from 127.0.0.1');
    await expect(revocation).toContainText(`sk_live_…${token.slice(-4)}`);
    await revocation.getByRole('textbox', { name: /^Type the name/ }).fill(small.name);
    await revocation.getByRole('button', { name: `Revoke ${small.name}`, exact: true }).click();
    await expect(support.getByText(/^Revoked on /)).toBeVisible();
    expect(await statusesOf(request, [small.token, token])).toEqual([401, 401]);
  },
);

test('an owner lets support see more, and support then rotates what it had to ask for', async ({
  browser,
  givenApiKey,
  page: support,
  service,
}) => {
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:manage'] });
  await openApiKeys(support);
  await menuOf(support, key.name).click();
  await expect(support.getByRole('menuitem')).toHaveText(['Request rotation', 'Copy key ID']);
  await support.keyboard.press('Escape');
  await support.getByRole('button', { name: /Your menu$/ }).click();
  await support.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(support.getByText('Nothing stronger than their role')).toBeVisible();
  await expect(support.getByText(`An owner of ${account} can change this.`)).toBeVisible();
  await expect(support.getByRole('button', { name: 'Save support access' })).toHaveCount(0);

  const owner = await pageOf(browser, service, {
    ...service.owner,
    address: 'settings/account',
  });
  const card = owner.getByRole('radiogroup', { name: 'New tokens that support can see' });
  await expect(card.getByRole('radio', { name: 'Nothing stronger than their role' })).toBeChecked();
  await card.getByRole('radio', { name: 'Webhook and bot scopes only' }).check();
  await owner.getByRole('button', { name: 'Save support access' }).click();
  await expect(owner.getByText('Saved. The change applies immediately.')).toBeVisible();
  await owner.context().close();

  await support.reload();
  await expect(support.getByText('Webhook and bot scopes only')).toBeVisible();
  await support.getByRole('link', { name: 'API keys', exact: true }).click();
  await choose(support, key.name, 'Rotate token');
  await support.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  expect(await readSecretOnce(support)).toMatch(/^sk_live_/);
});

/** Fills in the request that is open, for Ann, and sends it. */
async function askFor(page: Page, reason: string, note = ''): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Request rotation of / });
  await dialog.getByRole('combobox', { name: 'Ask' }).click();
  await page.getByRole('combobox', { name: 'Find a member' }).fill('ann');
  await page.getByRole('option', { name: /^ann/ }).click();
  await dialog.getByRole('radio', { name: reason }).check();
  await dialog.getByRole('textbox', { name: /^Note/ }).fill(note);
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
}

/** What Sam's other tab sends: three requests to Ann, of which the third stays open. */
async function requestThreeTimes(
  request: APIRequestContext,
  { service, key }: { service: Service; key: { uuid: string } },
): Promise<void> {
  const headers = asDashboard(service, sam);
  const path = `/api/dashboard/api-keys/${key.uuid}`;
  const { data: rotators } = (await (
    await request.get(`${path}/rotators`, { headers })
  ).json()) as {
    data: { id: string; name: string }[];
  };
  const member = rotators.find(({ name }) => name === 'ann')?.id;
  for (const isLast of [false, false, true]) {
    const made = await request.post(`${path}/rotation-requests`, {
      headers,
      data: { member, reason: 'lost' },
    });
    expect(made.status()).toBe(201);
    const { uuid } = ((await made.json()) as { data: { uuid: string } }).data;
    if (!isLast) await request.delete(`/api/dashboard/rotation-requests/${uuid}`, { headers });
  }
}

/** What the API answers to each of these tokens. */
async function statusesOf(
  request: APIRequestContext,
  tokens: readonly string[],
): Promise<number[]> {
  const answers = tokens.map((token) => request.get('/api/v1/api-key', { headers: bearer(token) }));
  return (await Promise.all(answers)).map((answer) => answer.status());
}
