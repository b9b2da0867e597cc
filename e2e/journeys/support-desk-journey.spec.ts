import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import {
  askForRotation,
  declineRequest,
  expectAccessible,
  readSecretOnce,
  reportLeak,
  statusOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

const account = 'Halden Logistics';

test.use({ accountName: account });
// A whole day of work in one test.
test.describe.configure({ timeout: 180_000 });

test('a day at the support desk among 2,000 accounts: the requester, the named member and an owner see the same at every step', async ({
  browser,
  control,
  givenApiKey,
  request,
  service,
}) => {
  const { worker, account: own } = service;
  await control.addManyAccounts({ count: 2000, marker: own.domain });
  const strong = await givenApiKey();
  const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  const priya = { email: `priya@${own.domain}`, password: worker.password };
  await control.addSupporter(priya);
  const ann = await addMember(service, { name: 'ann', role: 'admin' });

  // Each person has a list open all day, and acts in another tab.
  const lists = {
    priya: await pageOf(browser, service, { ...priya, address: '/support/requests' }),
    ann: await pageOf(browser, service, { ...ann, address: 'settings/rotation-requests' }),
    owner: await pageOf(browser, service, {
      ...service.owner,
      address: 'settings/rotation-requests',
    }),
  };
  for (const list of Object.values(lists)) {
    await list.clock.install();
    await list.reload();
  }
  /** The state of the newest request in the three lists, which nobody reloads. */
  const allSee = async (outcomes: Record<keyof typeof lists, string | RegExp>) => {
    for (const [name, list] of Object.entries(lists)) {
      await list.clock.runFor(31_000);
      await expect(newestOf(list)).toContainText(outcomes[name as keyof typeof lists]);
    }
  };
  const desk = await lists.priya.context().newPage();
  const box = desk.getByRole('textbox', { name: 'Search all accounts' });
  const result = (name: string) =>
    desk.getByRole('table', { name: 'Results' }).getByRole('row', { name });
  const search = async (text: string) => {
    await box.fill(text);
    await desk.keyboard.press('Enter');
  };

  await test.step('among 2,000 accounts a key is found by the end of its token, and rotated after giving a reason', async () => {
    await desk.goto('/support');
    await expect(desk.getByText(/in the 2,?\d{3} accounts you can open/)).toBeVisible();
    await search(`…${small.token.slice(-4)}`);
    await result(small.name)
      .getByRole('link', { name: `Open ${small.name}` })
      .click();
    await expect(desk.getByText(small.name)).toBeHidden();
    await desk.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4812');
    await desk.getByRole('button', { name: 'Open account' }).click();
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText(small.name);
    await desk.goto('/support');
    await search(`…${small.token.slice(-4)}`);
    await result(small.name)
      .getByRole('link', { name: `Rotate ${small.name}` })
      .click();
    const question = desk.getByRole('dialog', { name: `Rotate ${small.name}`, exact: true });
    await question.getByRole('button', { name: `Rotate ${small.name}`, exact: true }).click();
    const token = await readSecretOnce(desk);
    expect(await statusOf(request, token)).toBe(200);
  });

  await test.step('the rotation of a stronger key is requested from a member', async () => {
    await desk.goto('/support');
    await search(strong.name);
    await result(strong.name).getByRole('link', { name: 'Request rotation' }).click();
    await askForRotation(desk, {
      member: 'ann',
      reason: 'The token is lost',
      note: 'Ticket 4812',
    });
    await expect(desk.getByText(/^You asked ann to rotate it/)).toBeVisible();
    await allSee({ priya: 'Waiting', ann: 'Waiting for you', owner: 'Waiting for ann' });
    await expect(lists.priya.getByRole('link', { name: 'My requests 1 waiting' })).toBeVisible();
    await expectAccessible(lists.priya, 'requests at the support desk');
  });

  await test.step('the member finds the request on every page, and declines with a reason', async () => {
    const page = await lists.ann.context().newPage();
    await page.goto('settings/webhooks');
    await page.getByRole('link', { name: 'Open request' }).click();
    await expect(page.getByRole('blockquote')).toHaveText('Ticket 4812');
    await expect(page.getByText('Only you see the new token.')).toBeVisible();
    await expectAccessible(page, 'the page of a rotation request');
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Decline request' });
    await dialog.getByRole('button', { name: 'Decline request' }).click();
    await expect(dialog.getByText('Choose a reason.')).toBeVisible();
    await expectAccessible(page, 'decline', dialog);
    await declineRequest(page, {
      reason: 'It was not exposed',
      message: 'A sandbox key.',
    });
    const declined = /Declined.*It was not exposed\. “A sandbox key\.”/;
    await allSee({ priya: declined, ann: declined, owner: declined });
    await lists.priya.getByRole('combobox', { name: 'Outcome' }).click();
    await lists.priya.getByRole('option', { name: 'Declined' }).click();
    await expect(lists.priya).toHaveURL(/[?]state=declined$/);
    await expect(newestOf(lists.priya)).toContainText(declined);
    await lists.priya.getByRole('combobox', { name: 'Outcome' }).click();
    await lists.priya.getByRole('option', { name: 'Any' }).click();
  });

  await test.step('the whole token is found: it is reported as leaked, and the key is revoked', async () => {
    await desk.goto('/support');
    await box.fill(strong.token);
    await expect(desk.getByText('This token works')).toBeVisible();
    await desk.getByRole('link', { name: 'Report leak' }).click();
    await reportLeak(desk, { member: 'ann' });
    await desk.getByRole('button', { name: 'Not now' }).click();
    await expect(desk.getByRole('button', { name: 'Revoke now' })).toBeVisible();
    await allSee({ priya: 'Waiting', ann: 'Waiting for you', owner: 'Waiting for ann' });
    await desk.getByRole('button', { name: 'Revoke now' }).click();
    const question = desk.getByRole('alertdialog', {
      name: `Revoke ${strong.name}`,
      exact: true,
    });
    await question.getByRole('button', { name: `Revoke ${strong.name}`, exact: true }).click();
    await expect(desk.getByText(/^Revoked on /)).toBeVisible();
    expect(await statusOf(request, strong.token)).toBe(401);
    const revoked = /Key revoked.*By priya/;
    await allSee({ priya: revoked, ann: revoked, owner: revoked });
    await desk.goto('/support');
    await box.fill(strong.token);
    await expect(desk.getByText('The key of this token was revoked')).toBeVisible();
    await expect(desk.getByRole('table', { name: 'My newest requests' })).toContainText(
      /Key revoked.*Declined/,
    );
  });

  for (const list of Object.values(lists)) await list.context().close();
});

/** The first row of the open list. */
function newestOf(list: Page): Locator {
  return list.getByRole('table').getByRole('row').nth(1);
}
