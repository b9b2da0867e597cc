import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, statusOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

test.use({ accountName: 'Settings Ltd' });

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
  await expect(page.getByText(/^[12] manages? keys\.$/).first()).toBeVisible();
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
  // Until it is chosen separately, the operator of the service sees the same.
  await theirs.getByRole('radio', { name: /^Webhook and bot/ }).check();
  await saveChanges(theirs);
  await theirs.context().close();

  await expect(webhooksAndBots(page)).not.toBeChecked();
  await page.getByRole('checkbox', { name: /can read messages/ }).check();
  await saveChanges(page);
  await expect(webhooksAndBots(page)).toBeChecked();
  const same = page.getByRole('checkbox', { name: 'The operator can see the same as Support' });
  await same.uncheck();
  await page.getByRole('checkbox', { name: 'The operator can read messages' }).uncheck();
  await expectAccessible(page, 'support access of two kinds');
  await saveChanges(page);

  const name = page.getByRole('textbox', { name: 'Name of the account' });
  const button = page.getByRole('button', { name: 'Save changes' });
  await name.fill('First name');
  const held = await holdNextResponse(page);
  await button.click();
  await held.arrived;
  await name.fill('Second name');
  held.deliver();
  await expect(button).not.toHaveAttribute('aria-busy');
  await expect(name).toHaveValue('Second name');
  await expect(page.getByRole('complementary')).toContainText('First name');
  await button.click();
  await expect(page.getByRole('complementary')).toContainText('Second name');
  await page.reload();
  await expect(name).toHaveValue('Second name');
  await expect(same).not.toBeChecked();
  for (const who of ['Support', 'The operator']) {
    const payloads = page.getByRole('checkbox', { name: `${who} can read messages` });
    await expect(payloads).toBeChecked({ checked: who === 'Support' });
  }
  await expect(page.getByRole('radio', { name: /^Webhook and bot/, checked: true })).toHaveCount(2);
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

async function saveChanges(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Save changes' });
  await button.click();
  await expect(button).not.toHaveAttribute('aria-busy');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
}

function webhooksAndBots(page: Page) {
  return page.getByRole('radio', { name: /^Webhook and bot/ });
}
