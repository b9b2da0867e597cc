import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import { choose, menuOf, openApiKeys } from '../pages/api-keys.ts';
import { addMember, changeRole, sessionOf } from '../pages/members.ts';

const account = 'Roles Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');

fullTest(
  'support is offered only what the role has, and told who can do the rest',
  async ({ context, givenApiKey, page, service }) => {
    const key = await givenApiKey();
    const person = await addMember(service, { name: 'support', role: 'support' });
    await context.addCookies((await sessionOf(service, person)).cookies);
    await openApiKeys(page);
    await expectOnly(page, key.name, {
      items: ['Request rotation', 'Copy key ID'],
      note: 'As support you rotate keys, or ask somebody to. An owner or an admin of Roles Ltd can create, edit and revoke them.',
    });
  },
);

test('a lowered role applies from the next action on, and its member is offered only what it allows', async ({
  context,
  givenApiKey,
  page,
  service,
}) => {
  const key = await givenApiKey();
  const person = await addMember(service, { name: 'once', role: 'admin' });
  await context.addCookies((await sessionOf(service, person)).cookies);
  await openApiKeys(page);
  await choose(page, key.name, `Revoke ${key.name}`);
  await changeRole(service, { person, role: 'viewer' });
  const question = page.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
  await question.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(question).toContainText(/Revoke .*: not done/);
  await expect(question).toContainText('You do not have permission');

  await openApiKeys(page);
  await expectOnly(page, key.name, {
    items: ['Copy key ID'],
    note: 'As viewer you see keys. An owner or an admin of Roles Ltd can create, rotate and revoke them.',
  });
  await expectRefusal(page, 'settings/api-keys/new', 'You can’t create keys');
  await expectRefusal(page, `settings/api-keys/${key.uuid}/edit`, 'You can’t edit keys');
  await expectRefusal(page, 'settings/webhooks/new', 'You can’t create webhooks');
});

/** On the list that is open, and on the key's page. */
async function expectOnly(
  page: Page,
  key: string,
  { items, note }: { items: string[]; note: string },
): Promise<void> {
  await expect(page.getByRole('complementary')).toContainText(account);
  await expect(page.getByRole('button', { name: /Switch account$/ })).toBeHidden();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden();
  await menuOf(page, key).click();
  await expect(page.getByRole('menuitem')).toHaveText(items);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/still has its initial token/)).toBeHidden();

  await page.getByRole('link', { name: key, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: key })).toBeVisible();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit key' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Rotate token' })).toBeHidden();
}

async function expectRefusal(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText('An owner or an admin of Roles Ltd can.')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
}
