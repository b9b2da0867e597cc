import { expect } from '@playwright/test';
import { expectAccessible, signIn } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { broken } from '../helpers/error-responses.ts';
import { runAdmin } from '../helpers/operator.ts';

test.use({ accountName: 'Harbor Lights Ltd' });

test('installation support finds an account, says why they open it, and sees its keys under that reason, until its owner closes it to them', async ({
  apiProxy,
  browser,
  givenApiKey,
  guard,
  service,
  signedIn: page,
}) => {
  const { account, worker } = service;
  const { name: key, uuid } = await givenApiKey();
  const email = `priya@${account.domain}`;
  const added = await runAdmin(worker.server, 'add-support', email);
  const password = /^ {2}(\S+)$/m.exec(added)?.[1] ?? '';
  const context = await browser.newContext({ baseURL: service.origin });
  const theirs = await context.newPage();

  await theirs.goto('/');
  await signIn(theirs, { email, password });
  await expect(theirs.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
  await theirs.getByRole('textbox', { name: 'Name or ID' }).fill(account.id);
  await theirs.keyboard.press('Enter');
  const found = theirs.getByRole('list', { name: 'Accounts' }).getByRole('link');
  await expect(found).toHaveCount(1);
  await expect(found).toHaveText(/Harbor Lights Ltd/);
  await expectAccessible(theirs, 'choice of an account');
  await found.click();
  await expect(theirs).toHaveURL(new RegExp(`/a/${account.id}/settings/api-keys$`));

  await expect(
    theirs.getByRole('heading', { name: 'Why are you opening Harbor Lights Ltd?' }),
  ).toBeVisible();
  await expect(theirs.getByText(key)).toBeHidden();
  await theirs.getByRole('button', { name: 'Open account' }).click();
  const reason = theirs.getByRole('textbox', { name: 'Reason' });
  await expect(reason).toBeFocused();
  await expectAccessible(theirs, 'question for a reason');
  await reason.fill('Ticket 4812: calls get a 401');
  await theirs.getByRole('button', { name: 'Open account' }).click();
  const visit = theirs.getByRole('region', { name: 'Your visit' });
  await expect(visit).toContainText('Ticket 4812: calls get a 401');
  await expect(visit).toContainText(/1[12] h( \d+ min)? left, until \d+ \w+, \d\d:\d\d/);
  await visit.getByRole('button', { name: 'Change reason' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Change reason' });
  await reason.fill('xxxxxxxxxxxx');
  await dialog.getByRole('button', { name: 'Change reason' }).click();
  await expect(dialog.getByText('Explain in words why you are opening the account.')).toBeVisible();
  await expectAccessible(theirs, 'change of a reason', dialog);
  await reason.fill('Ticket 4813: where does it run?');
  await dialog.getByRole('button', { name: 'Change reason' }).click();
  await expect(visit).toContainText('Ticket 4813: where does it run?');
  await visit.getByRole('button', { name: 'End visit' }).click();
  await expect(theirs).toHaveURL(/\/support$/);
  await theirs.goto(`/a/${account.id}/settings/api-keys`);
  await reason.fill('Ticket 4812: calls get a 401');
  await theirs.getByRole('button', { name: 'Open account' }).click();
  await theirs.getByRole('link', { name: key }).click();
  await expect(theirs).toHaveURL(new RegExp(`${uuid}$`));
  await expect(theirs.getByRole('heading', { name: key })).toBeVisible();
  await expect(theirs.getByRole('complementary')).toContainText('Installation support');
  const changes = theirs.getByRole('list', { name: 'Changes' });
  await expect(changes.locator('> li').last()).toContainText(`created the key ${key}`);
  guard.allow(/status of 500/);
  apiProxy.respondTo('GET', /accounts\?search=/, () => broken());
  await theirs.getByRole('combobox', { name: 'Switch account' }).click();
  await theirs.getByRole('combobox', { name: 'Find an account' }).fill('harbor l');
  await expect(theirs.getByText('Could not load.')).toBeVisible();
  apiProxy.reset();
  await theirs.getByRole('button', { name: 'Try again' }).click();
  await expect(theirs.getByRole('option', { name: 'Harbor Lights Ltd' }).first()).toBeVisible();
  await theirs.keyboard.press('Escape');

  await page.goto('settings/team');
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText(/Support.*All accounts.*Ticket 4812: calls get a 401/);
  await expectAccessible(page, 'team with installation support');
  const allowed = page.getByRole('switch', { name: 'Allow in this account' });
  await expect(allowed).toBeChecked();
  await allowed.click();
  await expect(allowed).not.toBeChecked();
  await expect(page.getByText('Harbor Lights Ltd is hidden from them.')).toBeVisible();

  guard.allow(/404/);
  await theirs.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  const closed = /^An owner closed this account to installation support on \d/;
  const notice = theirs.getByRole('alertdialog', {
    name: 'You cannot open Harbor Lights Ltd',
  });
  await expect(notice.getByText(closed)).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(theirs.getByText(closed)).toBeVisible();
  await theirs.goto(`/accounts?search=${account.id}`);
  await expect(theirs.getByText(/^No accounts match\./)).toBeVisible();
  await context.close();
  // Also so that other tests of this server do not see this person.
  expect(await runAdmin(worker.server, 'remove-support', email)).toContain('Ended 1 session.');
});
