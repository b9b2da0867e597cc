import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { menuOf, openApiKeys } from './pages/api-keys.ts';
import { addMember, changeRole, pageOf } from './pages/members.ts';

const account = 'Roles Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');

for (const { role, items, note } of [
  {
    role: 'support',
    items: ['Request rotation', 'Copy key ID'],
    note: 'As support you rotate keys, or ask somebody to. An owner or an admin of Roles Ltd can create, edit and revoke them.',
  },
  {
    role: 'viewer',
    items: ['Copy key ID'],
    note: 'As viewer you see keys. An owner or an admin of Roles Ltd can create, rotate and revoke them.',
  },
]) {
  test(`${role} is offered only what the role has, and told who can do the rest`, async ({
    browser,
    givenApiKey,
    service,
  }) => {
    const key = await givenApiKey();
    const page = await pageOf(browser, service, await addMember(service, { name: role, role }));
    await expect(page.getByRole('complementary')).toContainText(account);
    await expect(page.getByRole('button', { name: /Switch account$/ })).toBeHidden();
    await expect(page.getByText(note)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden();
    await menuOf(page, key.name).click();
    await expect(page.getByRole('menuitem')).toHaveText(items);
    await page.keyboard.press('Escape');
    await expect(page.getByText(/still has its initial token/)).toBeHidden();

    await page.goto(`settings/api-keys/${key.uuid}`);
    await expect(page.getByText(note)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Edit key' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Rotate token' })).toBeHidden();

    await expectRefusal(page, 'settings/api-keys/new', 'You can’t create keys');
    await expectRefusal(page, `settings/api-keys/${key.uuid}/edit`, 'You can’t edit keys');
    await expectRefusal(page, 'settings/webhooks/new', 'You can’t create webhooks');
    await page.context().close();
  });
}

test('a role that was taken away holds from the next act on, and the page says so', async ({
  browser,
  givenApiKey,
  service,
}) => {
  const key = await givenApiKey();
  const person = await addMember(service, { name: 'once', role: 'admin' });
  const page = await pageOf(browser, service, person);
  await openApiKeys(page);
  await menuOf(page, key.name).click();
  await page.getByRole('menuitem', { name: `Revoke ${key.name}` }).click();
  await changeRole(service, { person, role: 'viewer' });
  const question = page.getByRole('alertdialog', { name: `Revoke ${key.name}`, exact: true });
  await question.getByRole('button', { name: `Revoke ${key.name}`, exact: true }).click();
  await expect(question).toContainText(/Revoke .*: not done/);
  await expect(question).toContainText('You do not have permission');
  await page.context().close();
});

async function expectRefusal(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText('An owner or an admin of Roles Ltd can.')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
}
