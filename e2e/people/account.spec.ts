import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { statusOf } from '../pages/api-keys.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Settings Ltd' });
test.skip(isRemote, 'adds members, and deletes the account');

test('an owner changes the settings, which an admin reads, deletes the account, and restores it', async ({
  browser,
  givenApiKey,
  request,
  service,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const callWithKey = async () => await statusOf(request, key.token);
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  const theirs = await pageOf(browser, service, { ...kim, address: 'settings/account' });
  await expect(theirs.getByText('Only owners can change these settings.')).toBeVisible();
  await expect(theirs.getByText('End after 7 days')).toBeVisible();
  await expect(theirs.getByRole('textbox')).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: /^(Save|Delete)/ })).toHaveCount(0);

  await page.goto('settings/account');
  await expect(page.getByText(/^0 of [12] active keys?$/).first()).toBeVisible();
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('switch', { name: 'Require a second factor' }).check();
  await page.getByLabel('From').fill('2030-12-01');
  await expect(
    page.getByText(/^2 of 2 members have no second factor: .* From 1 Dec 2030/),
  ).toBeVisible();
  await page.getByRole('combobox', { name: 'Sessions end after' }).click();
  await page.getByRole('option', { name: '12 hours' }).click();
  await expectAccessible(page, 'account with changes');

  await test.step('leaving with unsaved changes asks first', async () => {
    await page.getByRole('link', { name: 'Team', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
  });

  const name = page.getByRole('textbox', { name: 'Name of the account' });
  await name.fill('Renamed Ltd');
  await save.click();
  await expect(page.getByText('Saved. The changes apply immediately.')).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('complementary')).toContainText('Renamed Ltd');
  await theirs.reload();
  await expect(theirs.getByText('Required from 1 Dec 2030')).toBeVisible();
  await expect(theirs.getByText('End after 12 hours')).toBeVisible();

  expect(await callWithKey()).toBe(200);
  await deleteAccount(page, 'Renamed Ltd');
  expect(await callWithKey()).toBe(401);
  await expectAccessible(page, 'an account that is being deleted', page.getByRole('main'));
  const settings = page.getByRole('navigation', { name: 'Settings' });
  await expect(settings.getByRole('link')).toHaveText(['Account']);
  await page.goto('settings/api-keys');
  await expect(page.getByRole('button', { name: 'Restore account' })).toBeVisible();

  await theirs.getByRole('link', { name: 'Team', exact: true }).click();
  await theirs.waitForURL('**/sign-in?**');
  await theirs.context().close();

  await page.getByRole('button', { name: 'Restore account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account', exact: true })).toBeVisible();
  await expect(name).toHaveValue('Renamed Ltd');
  expect(await callWithKey()).toBe(200);
});

test('a save sends only changed fields, so that it does not undo another owner’s changes or later ones', async ({
  browser,
  service,
  signedIn: page,
}) => {
  await page.goto('settings/account');
  const nora = await addMember(service, { name: 'nora', role: 'owner' });
  const theirs = await pageOf(browser, service, { ...nora, address: 'settings/account' });
  for (const form of supportForms(theirs)) {
    await form.webhooksAndBots.check();
    await form.save.click();
    await expect(form.save).not.toHaveAttribute('aria-busy');
    await expect(form.save).toHaveAttribute('aria-disabled', 'true');
  }
  await theirs.context().close();

  for (const form of supportForms(page)) {
    await form.payloads.check();
    await form.save.click();
    await expect(form.save).toHaveAttribute('aria-disabled', 'true');
    await expect(form.webhooksAndBots).toBeChecked();
  }

  const name = page.getByRole('textbox', { name: 'Name of the account' });
  const save = page.getByRole('button', { name: 'Save changes' });
  await name.fill('First name');
  const held = await holdNextResponse(page);
  await save.click();
  await held.arrived;
  await name.fill('Second name');
  held.deliver();
  await expect(save).not.toHaveAttribute('aria-busy');
  await expect(name).toHaveValue('Second name');
  await expect(page.getByRole('complementary')).toContainText('First name');
  await save.click();
  await expect(page.getByRole('complementary')).toContainText('Second name');
  await page.reload();
  await expect(name).toHaveValue('Second name');
  for (const form of supportForms(page)) {
    await expect(form.webhooksAndBots).toBeChecked();
    await expect(form.payloads).toBeChecked();
  }
});

test('an open page of an account that another owner deletes says so, and discarding takes back what was typed', async ({
  browser,
  service,
  signedIn: page,
}) => {
  const nora = await addMember(service, { name: 'nora', role: 'owner' });
  const theirs = await pageOf(browser, service, { ...nora, address: 'settings/account' });
  const name = theirs.getByRole('textbox', { name: 'Name of the account' });
  const before = await name.inputValue();
  await name.fill('');
  await theirs.getByRole('button', { name: 'Save changes' }).click();
  await expect(name).toHaveAccessibleDescription('Enter a name of 1 to 100 characters.');
  await theirs.getByRole('button', { name: 'Discard' }).click();
  await expect(name).toHaveValue(before);

  await page.goto('settings/account');
  await deleteAccount(page, before);
  await theirs.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(theirs.getByRole('button', { name: 'Restore account' })).toBeVisible();
  await theirs.context().close();
});

async function deleteAccount(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const question = page.getByRole('alertdialog', { name: `Delete ${name}` });
  await expect(question).toContainText('For 7 days an owner can restore it.');
  const confirm = question.getByRole('button', { name: `Delete ${name}` });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await question.getByRole('textbox').fill(name);
  await confirm.click();
  await expect(
    page.getByRole('heading', { level: 1, name: `${name} is being deleted` }),
  ).toBeVisible();
}

/**
 * The two forms for what support can see: of the account's own support, and of installation
 * support.
 */
function supportForms(page: Page) {
  return ['Save changes', 'Save support access'].map((button) => {
    const save = page.getByRole('button', { name: button });
    const form = page.locator('form').filter({ has: save });
    return {
      webhooksAndBots: form.getByRole('radio', { name: /^Webhook and bot/ }),
      payloads: form.getByRole('checkbox', { name: /can read messages/ }),
      save,
    };
  });
}
