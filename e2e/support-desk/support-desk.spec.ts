import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible } from 'conversation-service-playwright-kit';
import { openWithoutScripts } from '../pages/open-without-scripts.ts';
import { test } from '../fixtures.ts';
import { sessionOf } from '../pages/people/members.ts';

test.use({ accountName: 'Halden Logistics' });

test('installation support finds a key by the end of its token and by the whole token, which stays in the browser, gives a reason, and reports the leak', async ({
  context,
  control,
  givenApiKey,
  givenWebhook,
  page,
  service,
}) => {
  const { account, worker } = service;
  const key = await givenApiKey();
  const webhook = await givenWebhook({ name: `Shipments ${account.domain}` });
  await control.addAccount({
    name: `Brightwater ${account.domain}`,
    email: `sara@${account.domain}`,
    password: worker.password,
  });
  const priya = { email: `priya@${account.domain}`, password: worker.password };
  await control.addSupporter(priya);
  await context.addCookies((await sessionOf(service, priya)).cookies);
  await page.goto('/support');
  await expect(page.getByRole('heading', { name: 'Support desk' })).toBeVisible();
  const box = page.getByRole('textbox', { name: 'Search all accounts', exact: true });
  const results = page.getByRole('table', { name: 'Results' });
  const lastFour = key.token.slice(-4);

  await box.fill(`…${lastFour}`);
  await page.keyboard.press('Enter');
  const row = results.getByRole('row', { name: key.name });
  await expect(row).toContainText(/Halden Logistics.*Reason required.*Open/);
  await expect(row, 'before a reason was given').not.toContainText(/Active|sk_live_/);
  await page.setViewportSize({ width: 1024, height: 768 });
  const name = await row.getByRole('rowheader').boundingBox();
  expect(name?.width, 'of the name, beside the sidebar').toBeGreaterThan(150);
  await box.fill(account.domain);
  await page.keyboard.press('Enter');
  await expect(results.getByRole('row', { name: webhook.name })).toContainText('Halden Logistics');
  await expectAccessible(page, 'support desk with results');
  await box.fill(`sara@${account.domain}`);
  await page.keyboard.press('Enter');
  await expect(results.getByRole('row', { name: 'Brightwater' })).toContainText('Reason required');

  const sent = recordRequests(page);
  await box.fill(`Authorization: Bearer ${key.token}`);
  await expect(box).toHaveValue('');
  await expect(page.getByText('This token works')).toBeVisible();
  await expect(page.getByText('treat it as leaked')).toBeVisible();
  const announcements = page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
  await expect(announcements, 'one live region announces the result').toHaveCount(1);
  await expectAccessible(page, 'support desk with a token that is live', page.getByRole('main'));
  const digest = createHash('sha256').update(key.token).digest('hex');
  expect(sent.some((text) => text.includes(digest))).toBe(true);
  expect(sent.filter((text) => text.includes(key.token.slice(8, 30)))).toEqual([]);
  expect(await keptBy(page)).not.toContain(key.token.slice(8, 30));
  for (const undoOrRedo of ['ControlOrMeta+z', 'ControlOrMeta+Shift+z']) {
    await page.keyboard.press(undoOrRedo);
    await expect(box).not.toHaveValue(/sk_live_/);
  }

  const letScriptsThrough = await openWithoutScripts(page, '/support');
  await box.fill(key.token);
  await letScriptsThrough();
  await expect(box).toHaveValue('');
  await expect(page.getByText('This token works')).toBeVisible();
  expect(sent.filter((text) => text.includes(key.token.slice(8, 30)))).toEqual([]);

  await box.fill(`whsec_${'a1B2'.repeat(11)}`);
  await expect(box).toHaveValue('');
  await expect(page.getByText('You cannot search for a signing secret')).toBeVisible();
  expect(sent.filter((text) => text.includes('whsec_'))).toEqual([]);

  await box.fill(key.token);
  await page.getByRole('link', { name: 'Report leak' }).click();
  await expect(
    page.getByRole('heading', { name: 'Why are you opening Halden Logistics?' }),
  ).toBeVisible();
  await expect(page.getByText(key.name)).toBeHidden();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4812: token in a chat');
  await page.getByRole('button', { name: 'Open account' }).click();
  await expect(page.getByRole('dialog', { name: `Report leak of ${key.name}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: key.name })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/a/${account.id}/settings/api-keys/${key.uuid}$`));

  await page.getByRole('link', { name: 'Support desk' }).click();
  await expect(page.getByRole('navigation', { name: 'Recent accounts' })).toContainText(
    'Halden Logistics',
  );
});

/** The URL, headers and body of every request from now on. */
function recordRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push([request.url(), JSON.stringify(request.headers()), request.postData()].join(' '));
  });
  return sent;
}

/** What the browser stores for the page, and the visible text of the page. */
async function keptBy(page: Page): Promise<string> {
  return await page.evaluate(() =>
    JSON.stringify([
      window.location.href,
      window.history.state,
      Object.entries(window.localStorage),
      Object.entries(window.sessionStorage),
      document.cookie,
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]),
  );
}
