import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { test } from '../../fixtures.ts';
import { bearer, choose, menuOf, openApiKeys, rowOf } from '../../pages/api-keys.ts';
import { expectAccessible } from '../../pages/checks/accessibility.ts';
import { loseNextResponse, tokenIn } from '../../pages/lose-next-response.ts';
import { askForRotation, declineRequest } from '../../pages/rotation-requests.ts';
import { readSecretOnce } from '../../pages/secret-dialog.ts';
import { goTo } from '../../pages/follow-sidebar-link.ts';

export type GivenKey = { name: string; uuid: string; token: string };

/** Searches for a key in the list, which it opens, and reads the key's page. */
export async function findKey(
  page: Page,
  { key, other, account }: { key: GivenKey; other: GivenKey; account: string },
): Promise<void> {
  await test.step('a key is found by what a customer pastes: its masked token, its last four characters, its ID', async () => {
    await openApiKeys(page);
    const search = page.getByRole('searchbox', { name: 'Search keys' });
    const lastFour = key.token.slice(-4);
    const forms = [`sk_live_…${lastFour}`, key.uuid, `…${lastFour}`, lastFour];
    for (const pasted of forms) {
      await search.fill(pasted);
      await expect(rowOf(page, other.name)).toBeHidden();
      await expect(rowOf(page, key.name)).toBeVisible();
      await search.clear();
      await expect(rowOf(page, other.name)).toBeVisible();
    }
  });

  await test.step('support sees only the actions of the role, and who can do the others', async () => {
    await expect(page.getByRole('link', { name: 'requests', exact: true })).toBeVisible();
    await expectOnly(page, key, {
      account,
      items: ['Request rotation', 'Copy key ID'],
      note: `Your role, Support, lets you rotate keys or request a rotation. An owner or an admin of ${account} can create, edit and revoke keys.`,
    });
  });
}

/** In the open list, and on the key's page. */
export async function expectOnly(
  page: Page,
  { name }: GivenKey,
  { account, items, note }: { account: string; items: string[]; note: string },
): Promise<void> {
  await expect(page.getByRole('complementary')).toContainText(account);
  await expect(page.getByRole('button', { name: /Switch account$/ })).toBeHidden();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden();
  await menuOf(page, name).click();
  await expect(page.getByRole('menuitem')).toHaveText(items);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/still has its initial token/)).toBeHidden();

  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit key' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Rotate token' })).toBeHidden();
  await goTo(page, 'API keys');
}

/** Rotates a key whose token support may be shown, in the open list. */
export async function rotateSmallKey(page: Page, { name }: GivenKey): Promise<void> {
  await test.step('support rotates a key that is not stronger than its role, which ends no token', async () => {
    await choose(page, name, 'Rotate token');
    const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
    await expect(question.getByRole('radio')).toHaveCount(3);
    await expect(question.getByRole('radio', { name: 'Now' })).toHaveCount(0);
    await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
    const token = await readSecretOnce(page);
    expect(token).toMatch(/^sk_live_/);
    await expect(menuOf(page, name)).toBeFocused();
    await expect(rowOf(page, name)).toContainText(token.slice(-4));
  });
}

type Requesting = {
  support: Page;
  /** Opens the list of keys as the named member, and returns the page. */
  openAsOwner: () => Promise<Page>;
  request: APIRequestContext;
  key: GivenKey;
};

/** The owner rotates a key of the list that support has open. Returns their page and the token. */
export async function requestRotation({ support, openAsOwner, request, key }: Requesting) {
  await test.step('for a stronger key support asks a member, gives a reason, and sees the deadline', async () => {
    await choose(support, key.name, 'Request rotation');
    const dialog = support.getByRole('dialog', { name: `Request rotation of ${key.name}` });
    await expect(dialog).toContainText('Nothing changes until the key is rotated');
    await expect(dialog).toContainText('after 72 hours');
    await dialog.getByRole('button', { name: 'Request rotation' }).click();
    await expect(dialog.getByText('Choose whom to ask.')).toBeVisible();
    await expect(dialog.getByText('Choose a reason.')).toBeVisible();
    await expectAccessible(support, 'request with errors', dialog);
    await askForRotation(support, {
      member: 'ada',
      reason: 'The token is lost',
      note: 'Before Friday',
    });
    await expect(dialog).toBeHidden();
    await expect(menuOf(support, key.name)).toBeFocused();
    await expect(rowOf(support, key.name)).toContainText(
      /You asked ada to rotate it by \d+ \w{3}, \d\d:\d\d/,
    );
  });

  const owner = await openAsOwner();
  const token =
    await test.step('the owner sees the request, rotates the key, even if a response is lost, and is the only one to see the token', async () => {
      const asked = owner.getByRole('region', { name: 'Requests', exact: true });
      await expect(asked).toContainText(`sam asks you to rotate ${key.name}`);
      await expect(asked).toContainText('The token is lost. “Before Friday”');
      await expect(rowOf(owner, key.name)).toContainText('sam asked you to rotate it');
      await expectAccessible(owner, 'keys with a request received', owner.getByRole('main'));
      await asked.getByRole('button', { name: `Rotate and show token of ${key.name}` }).click();
      const question = owner.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
      await expect(question).toContainText('sam asks for this.');
      await question.getByRole('radio', { name: 'Now' }).check();
      const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
      // The preview has been read, so the rotation is the only action that follows.
      await expect(question).toContainText('are rejected with 401 immediately');
      const lost = await loseNextResponse(owner);
      await rotate.click();
      await expect(question).toContainText(`We could not confirm whether ${key.name} was rotated`);
      const unseen = tokenIn(await lost.response);
      await expect(question).toContainText(unseen.slice(-4));
      await rotate.click();
      const shown = await readSecretOnce(owner);
      await expect(asked).toBeHidden();
      const statuses: number[] = [];
      for (const known of [key.token, unseen, shown]) {
        const response = await request.get('/api/v1/api-key', { headers: bearer(known) });
        statuses.push(response.status());
      }
      expect(statuses).toEqual([401, 401, 200]);
      return shown;
    });

  await test.step('support sees that it is done, and never the token', async () => {
    await support.reload();
    await expect(rowOf(support, key.name)).toContainText(token.slice(-4));
    await expect(rowOf(support, key.name)).not.toContainText('to rotate it');
    await expect(support.locator('body')).not.toContainText(token);
  });
  return { owner, token };
}

/** Both have the list of keys open. */
export async function declineRotation({
  support,
  owner,
  key,
}: {
  support: Page;
  owner: Page;
  key: GivenKey;
}): Promise<void> {
  await test.step('support sees the reason for which the owner declines a request', async () => {
    await choose(support, key.name, 'Request rotation');
    await askForRotation(support, { member: 'ada', reason: 'The token is lost' });
    await expect(rowOf(support, key.name)).toContainText(/You asked ada to rotate it/);
    await owner.reload();
    await owner.getByRole('button', { name: `Decline to rotate ${key.name}` }).click();
    await declineRequest(owner, { reason: 'It was not exposed', message: 'A sandbox key.' });
    await expect(rowOf(owner, key.name)).not.toContainText('to rotate it');
    await support.goto('settings/rotation-requests');
    const request = support.getByRole('row').filter({ hasText: key.name });
    await expect(request).toContainText(/Declined.*It was not exposed\. “A sandbox key\.”/);
    await goTo(support, 'API keys');
  });
}

/** Support has the list of keys open; `token` is that of the key. */
export async function revokeLeakedKey(
  support: Page,
  { request, key, token }: { request: APIRequestContext; key: GivenKey; token: string },
): Promise<void> {
  await test.step('support revokes a key after reporting that its token leaked', async () => {
    await choose(support, key.name, 'Request rotation');
    await askForRotation(support, { member: 'ann', reason: 'The token may have leaked' });
    const offer = support.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
    await expect(offer).toContainText(`ann was asked to rotate ${key.name}`);
    await offer.getByRole('textbox', { name: /^Type the name/ }).fill(key.name);
    await offer.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
    await expect(rowOf(support, key.name)).toContainText(/Revoked.*by sam/);
    const response = await request.get('/api/v1/api-key', { headers: bearer(token) });
    expect(response.status()).toBe(401);
  });
}

/** Both have the list of keys open. */
export async function letSupportSeeMore({
  support,
  owner,
  key,
}: {
  support: Page;
  owner: Page;
  key: GivenKey;
}): Promise<void> {
  await test.step('support reads what it may see, and who can change that', async () => {
    await menuOf(support, key.name).click();
    await expect(support.getByRole('menuitem')).toHaveText(['Request rotation', 'Copy key ID']);
    await support.keyboard.press('Escape');
    await goTo(support, 'Account');
    const access = support.locator('#support-access');
    await expect(access).toContainText('Nothing stronger than their role');
    await expect(support.getByText('Only owners can change these settings.')).toBeVisible();
    await expect(support.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  });

  await test.step('an owner lets support see more, and support then rotates the key that it had to request', async () => {
    await goTo(owner, 'Account');
    const card = owner.getByRole('radiogroup', { name: 'New tokens that support can see' });
    const own = card.getByRole('radio', { name: 'Nothing stronger than their role' });
    await expect(own).toBeChecked();
    await card.getByRole('radio', { name: 'Webhook and bot scopes only' }).check();
    await owner.getByRole('button', { name: 'Save changes' }).click();
    await expect(owner.getByText('Saved. The changes apply immediately.')).toBeVisible();

    await support.reload();
    await expect(support.getByText('Webhook and bot scopes only')).toBeVisible();
    await goTo(support, 'API keys');
    await choose(support, key.name, 'Rotate token');
    await support.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    expect(await readSecretOnce(support)).toMatch(/^sk_live_/);
  });
}
