import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import type { Service } from './fixtures.ts';
import { choose, menuOf, openApiKeys, rowOf } from './pages/api-keys.ts';
import { addMember, sessionOf } from './pages/members.ts';
import type { StorageState } from './pages/members.ts';
import { loseNextAnswer, tokenIn } from './pages/lose-next-answer.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';

const account = 'Requests Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');

let sam: StorageState;
let ann: StorageState;

test.beforeEach(async ({ service }) => {
  sam = await sessionOf(service, await addMember(service, { name: 'sam', role: 'support' }));
  ann = await sessionOf(service, await addMember(service, { name: 'ann', role: 'admin' }));
});

test('support asks a member for a rotation, who rotates it and alone sees the token', async ({
  browser,
  givenApiKey,
  request,
  service,
}) => {
  const key = await givenApiKey();
  const support = await pageWith(browser, service, sam);
  await openApiKeys(support);
  await choose(support, key.name, 'Request rotation');
  const dialog = support.getByRole('dialog', { name: `Request rotation of ${key.name}` });
  await expect(dialog).toContainText('Nothing changes until then');
  await expect(dialog).toContainText('after 72 hours');
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
  await expect(dialog.getByText('Choose who should rotate the key.')).toBeVisible();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();

  await askFor(support, 'The token is lost', 'Before Friday');
  await expect(dialog).toBeHidden();
  await expect(menuOf(support, key.name)).toBeFocused();
  await expect(rowOf(support, key.name)).toContainText(
    /Rotation requested from ann by you, until \d+ \w{3}, \d\d:\d\d/,
  );

  const admin = await pageWith(browser, service, ann);
  const asked = admin.getByRole('region', { name: 'Rotation requests for you' });
  await expect(asked).toContainText(`sam asks you to rotate ${key.name}`);
  await expect(asked).toContainText('The token is lost. “Before Friday”');
  await expect(rowOf(admin, key.name)).toContainText('Rotation requested from you by sam');
  await asked.getByRole('button', { name: `Rotate and show the new token of ${key.name}` }).click();
  const question = admin.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  await expect(question).toContainText('sam asks for this.');
  await question.getByRole('radio', { name: 'Now' }).check();
  await question.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const token = await readSecretOnce(admin);
  await expect(asked).toBeHidden();

  expect((await request.get('/api/v1/api-key', { headers: bearer(key.token) })).status()).toBe(401);
  expect((await request.get('/api/v1/api-key', { headers: bearer(token) })).status()).toBe(200);
  await support.reload();
  await expect(rowOf(support, key.name)).not.toContainText('Rotation asked');
  await expect(support.locator('body')).not.toContainText(token);
  await support.context().close();
  await admin.context().close();
});

test('whoever rotates on request and loses the answer presses again and sees a token', async ({
  browser,
  givenApiKey,
  request,
  service,
}) => {
  const key = await givenApiKey();
  const support = await pageWith(browser, service, sam);
  await openApiKeys(support);
  await choose(support, key.name, 'Request rotation');
  await askFor(support, 'The token is lost');
  await expect(rowOf(support, key.name)).toContainText('Rotation requested from ann by you');
  await support.context().close();

  const admin = await pageWith(browser, service, ann);
  const asked = admin.getByRole('region', { name: 'Rotation requests for you' });
  await asked.getByRole('button', { name: `Rotate and show the new token of ${key.name}` }).click();
  const question = admin.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  const lost = await loseNextAnswer(admin);
  await rotate.click();
  await expect(question).toContainText(`It is unknown whether ${key.name} was rotated`);
  const unseen = tokenIn(await lost.answer);
  await expect(question).toContainText(unseen.slice(-4));
  await rotate.click();
  const token = await readSecretOnce(admin);

  expect((await request.get('/api/v1/api-key', { headers: bearer(token) })).status()).toBe(200);
  expect((await request.get('/api/v1/api-key', { headers: bearer(unseen) })).status()).toBe(401);
  expect((await request.get('/api/v1/api-key', { headers: bearer(key.token) })).status()).toBe(200);
  await admin.context().close();
});

test('a request can be withdrawn by whoever made it, and declined by whoever it names', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  const support = await pageWith(browser, service, sam);
  await support.goto(`settings/api-keys/${key.uuid}`);
  await support.getByRole('button', { name: 'Request rotation' }).click();
  await askFor(support, 'It is due for rotation');
  const waits = support.getByText(/^Rotation requested from ann by you, until \d+ \w{3} \d{4}/);
  await expect(waits).toBeVisible();
  await support.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = support.getByRole('alertdialog', { name: 'Withdraw request' });
  await withdrawal.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(waits).toBeHidden();

  await support.getByRole('button', { name: 'Request rotation' }).click();
  await askFor(support, 'It is due for rotation');
  await expect(waits).toBeVisible();
  const admin = await pageWith(browser, service, ann);
  await admin.goto(`settings/api-keys/${key.uuid}`);
  await admin.getByRole('button', { name: `Decline to rotate ${key.name}` }).click();
  const refusal = admin.getByRole('alertdialog', { name: 'Decline request' });
  await expect(refusal.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await refusal.getByRole('button', { name: 'Decline request' }).click();
  await expect(admin.getByText(`sam asks you to rotate ${key.name}`)).toBeHidden();
  await support.reload();
  await expect(support.getByRole('button', { name: 'Request rotation' })).toBeVisible();
  await support.context().close();
  await admin.context().close();
});

test('a second request names the open one and keeps what was typed; a fourth mail is not sent', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  const support = await pageWith(browser, service, sam);
  await support.goto(`settings/api-keys/${key.uuid}`);
  const late = await pageWith(browser, service, sam);
  await late.goto(`settings/api-keys/${key.uuid}`);
  await late.getByRole('button', { name: 'Request rotation' }).click();
  for (let round = 1; round <= 4; round += 1) {
    await support.getByRole('button', { name: 'Request rotation' }).click();
    await askFor(support, 'The token is lost');
    await expect(support.getByText(/^Rotation requested from ann by you/)).toBeVisible();
    const note = support.getByText('ann was sent three e-mails about this key within a day');
    await expect(note).toHaveCount(round === 4 ? 1 : 0);
    if (round === 4) break;
    await support.getByRole('button', { name: 'Withdraw' }).click();
    await support
      .getByRole('alertdialog', { name: 'Withdraw request' })
      .getByRole('button', { name: 'Withdraw request' })
      .click();
    await expect(support.getByRole('button', { name: 'Request rotation' })).toBeVisible();
  }

  await askFor(late, 'It is due for rotation', 'After the release');
  const dialog = late.getByRole('dialog', { name: `Request rotation of ${key.name}` });
  await expect(dialog.getByText('The rotation was not requested')).toBeVisible();
  await expect(dialog).toContainText(
    /sam already asked ann to rotate this key\. Request [0-9a-f-]{36} is open until \d+ \w{3} \d{4}/,
  );
  await expect(dialog.getByRole('combobox', { name: 'Ask' })).toHaveText(/ann/);
  await expect(dialog.getByRole('radio', { name: 'It is due for rotation' })).toBeChecked();
  await expect(dialog.getByRole('textbox', { name: /^Note/ })).toHaveValue('After the release');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(late.getByText(/^Rotation requested from ann by you/)).toBeVisible();
  await late.context().close();
  await support.context().close();
});

test('whoever reported a leak can revoke the key at once, knowing what stops', async ({
  browser,
  givenApiKey,
  request,
  service,
}) => {
  const key = await givenApiKey();
  await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  const support = await pageWith(browser, service, sam);
  await support.goto(`settings/api-keys/${key.uuid}`);
  await expect(support.getByRole('button', { name: 'Revoke now' })).toBeHidden();
  await support.getByRole('button', { name: 'Request rotation' }).click();
  await askFor(support, 'The token may have leaked');
  await support.getByRole('button', { name: 'Revoke now' }).click();
  const question = support.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText('from 127.0.0.1');
  await expect(question).toContainText(`sk_live_…${key.token.slice(-4)}`);
  await question.getByRole('textbox', { name: /^Type the name/ }).fill(key.name);
  await question.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(support.getByText(/^Revoked on /)).toBeVisible();
  expect((await request.get('/api/v1/api-key', { headers: bearer(key.token) })).status()).toBe(401);
  await support.context().close();
});

test('what is no stronger than support it rotates itself; it ends no token, but can report a leak', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const support = await pageWith(browser, service, sam);
  await choose(support, small.name, 'Rotate token');
  const question = support.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
  await expect(question.getByRole('radio')).toHaveCount(3);
  await expect(question.getByRole('radio', { name: 'Now' })).toHaveCount(0);
  await question.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
  expect(await readSecretOnce(support)).toMatch(/^sk_live_/);

  await support.goto(`settings/api-keys/${small.uuid}`);
  await expect(support.getByText('Older', { exact: true })).toBeVisible();
  await expect(support.getByRole('button', { name: /^End now/ })).toHaveCount(0);
  await support.getByRole('button', { name: 'Rotate token' }).click();
  await question.getByRole('button', { name: 'report the leak' }).click();
  const request = support.getByRole('dialog', { name: `Request rotation of ${small.name}` });
  await expect(request.getByRole('radio', { name: 'The token may have leaked' })).toBeChecked();
  await askFor(support, 'The token may have leaked');
  await expect(support.getByRole('button', { name: 'Revoke now' })).toBeVisible();
  await expect(support.getByRole('button', { name: 'Rotate token' })).toHaveCount(0);
  await support.context().close();
});

test('an owner lets support see more, and support then rotates what it had to ask for', async ({
  browser,
  givenApiKey,
  service,
  signedIn: owner,
}) => {
  const key = await givenApiKey({ type: 'limited', scopes: ['webhooks:manage'] });
  const support = await pageWith(browser, service, sam);
  await menuOf(support, key.name).click();
  await expect(support.getByRole('menuitem', { name: 'Request rotation' })).toBeVisible();
  await support.goto('settings/account');
  await expect(support.getByText('Nothing stronger than their role')).toBeVisible();
  await expect(support.getByText(`An owner of ${account} can change this.`)).toBeVisible();
  await expect(support.getByRole('button', { name: 'Save support access' })).toHaveCount(0);

  await owner.goto('settings/account');
  const card = owner.getByRole('radiogroup', { name: 'New tokens that support can see' });
  await expect(card.getByRole('radio', { name: 'Nothing stronger than their role' })).toBeChecked();
  await card.getByRole('radio', { name: 'Webhook and bot scopes only' }).check();
  await owner.getByRole('button', { name: 'Save support access' }).click();
  await expect(owner.getByText('Saved. The change applies immediately.')).toBeVisible();

  await support.reload();
  await expect(support.getByText('Webhook and bot scopes only')).toBeVisible();
  await openApiKeys(support);
  await choose(support, key.name, 'Rotate token');
  await support.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  expect(await readSecretOnce(support)).toMatch(/^sk_live_/);
  await support.context().close();
});

/** A browser of its own with somebody's session, at the list of keys. */
async function pageWith(
  browser: Browser,
  { home }: Pick<Service, 'home'>,
  storageState: StorageState,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: home, storageState });
  const page = await context.newPage();
  await openApiKeys(page);
  return page;
}

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

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
