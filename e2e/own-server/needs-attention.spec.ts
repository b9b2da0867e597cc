import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import {
  apiWith,
  expectAccessible,
  openSession,
  post,
  readData,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { Account } from 'conversation-service-playwright-kit';
import { asDashboard } from '../helpers/as-dashboard.ts';
import { startMailServer } from '../helpers/servers/mail-server.ts';
import { startWorkerServer } from '../helpers/servers/worker-server.ts';
import { test } from '../fixtures.ts';

test.setTimeout(300_000);

const dayMs = 86_400_000;

test('the support desk opens with what needs attention in all accounts, shows no more than names before a reason, and leads to what can be done', async ({
  browser,
  guard,
  playwright,
  receiver,
}) => {
  const mail = await startMailServer();
  const worker = await startWorkerServer({ environment: { SMTP_URL: mail.url } });
  guard.trust(worker.server.origin);
  const context = await browser.newContext({ baseURL: worker.server.origin });
  try {
    const { control, password, server } = worker;
    const halden = await worker.addAccount('Halden Logistics');
    const closed = await worker.addAccount('Brightwater Energy');
    const apiOf = async ({ token }: Account) =>
      await apiWith(playwright, { origin: server.origin, token });
    const [api, closedApi] = [await apiOf(halden), await apiOf(closed)];
    const priya = { email: `priya@${halden.domain}`, password };
    await control.addSupporter(priya);
    await context.addCookies(await openSession(worker, priya));
    const page = await context.newPage();
    await page.goto('/support');
    await expect(page.getByText('Nothing needs attention')).toBeVisible();
    await expectAccessible(page, 'support desk where nothing needs attention');

    const dario = { email: `dario@${halden.domain}`, password };
    mail.refused.add(dario.email);
    await control.addMember({ accountId: halden.id, ...dario, role: 'admin' });
    const sam = { email: `sam@${halden.domain}`, password };
    await control.addMember({ accountId: halden.id, ...sam, role: 'support' });
    receiver.respondWith({ status: 503, body: 'The warehouse is being loaded.' });
    await post(api, '/api/v1/webhooks', {
      name: 'Order notifier',
      url: `${receiver.url}/secret-path`,
      events: ['message.created'],
    });
    await writeMessage(api, 'Where is my order?');
    await receiver.received(1);
    await control.moveClock({ ms: 6 * 60_000 });
    const expires = new Date(Date.now() + 5 * dayMs).toISOString();
    for (const each of [api, closedApi]) {
      await post(each, '/api/v1/api-keys', {
        name: 'Returns kiosk',
        type: 'bot',
        expires_at: expires,
      });
    }
    const asSam = { ...asDashboard(worker, await openSession(worker, sam)) };
    const ask = async (name: string, reason: string) => {
      const { uuid } = await post(api, '/api/v1/api-keys', { name, type: 'full' });
      const member = await ownerId(api, worker, halden);
      const path = `/api/dashboard/api-keys/${uuid}/rotation-requests`;
      const headers = { ...asSam, 'X-Dashboard-Account': halden.id };
      const made = await api.post(path, { headers, data: { member, reason } });
      expect(made.status(), await made.text()).toBe(201);
    };
    await ask('Production backend', 'leaked');
    await ask('Export job', 'lost');
    const close = await closedApi.patch('/api/dashboard/installation-support', {
      headers: { ...asDashboard(worker, closed.session), 'X-Dashboard-Account': closed.id },
      data: { is_allowed: false },
    });
    expect(close.status(), await close.text()).toBe(200);

    const table = page.getByRole('table', { name: 'What needs attention, most urgent first' });
    await expect(async () => {
      await page.reload();
      await expect(table.getByRole('row', { name: 'Emails to dario' })).toBeVisible();
    }).toPass({ timeout: 30_000 });
    const rows = table.getByRole('row').filter({ hasText: 'Halden Logistics' });
    await expect(rows).toContainText([
      'Token of Production backend was reported as leaked',
      /Webhook Order notifier is failing.*127\.0\.0\.1:\d+ responded with 503/,
      'Nobody answered the rotation request for Export job',
      'Emails to dario are undeliverable',
      'Key Returns kiosk expires',
    ]);
    await expect(rows).toHaveCount(5);
    await expect(table).not.toContainText('Brightwater');
    await expect(table).not.toContainText(/warehouse|secret-path|example\.com|was asked|Last used/);
    await expectAccessible(page, 'support desk with what needs attention');

    await table.getByRole('link', { name: 'Notify owners Returns kiosk' }).click();
    await expect(
      page.getByRole('heading', { name: 'Why are you opening Halden Logistics?' }),
    ).toBeVisible();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4812: the kiosk ends soon');
    await page.getByRole('button', { name: 'Open account' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Notify owners about Returns kiosk' });
    await expectAccessible(page, 'dialog to notify owners', dialog);
    await dialog.getByRole('button', { name: 'Notify owners' }).click();
    await expect(page.getByText('Owners notified about Returns kiosk')).toBeVisible();
    await expect
      .poll(() => mail.received.filter(({ source }) => source.includes('Support asks about')))
      .toEqual([{ to: halden.owner.email, source: expect.stringContaining('Ticket 4812') }]);

    await page.getByRole('link', { name: 'Support desk' }).click();
    await expect(rows.nth(0)).toContainText(/It has not ended\. .* was asked to replace it/);
    await expect(rows.nth(1)).toContainText(/503.*1 delivery waits/);
    await expect(rows.nth(3)).toContainText(`Emails to ${dario.email} are undeliverable`);
    await expect(rows.nth(3)).toContainText('550 “Mailbox unavailable”');
    await expectAccessible(page, 'support desk after a reason was given');

    const log = await readData<{ action: string }[]>(await api.get('/api/v1/audit-log'));
    const bySupport = log.filter(({ action }) => /support|owners_notified/.test(action));
    expect(bySupport.map(({ action }) => action)).toEqual([
      'api_key.owners_notified',
      'support_visit.opened',
    ]);
  } finally {
    await context.close();
    mail.close();
    await worker.server.destroy();
    await worker.apiProxy.close();
  }
});

async function ownerId(
  api: APIRequestContext,
  worker: { credential: string },
  account: Account,
): Promise<string> {
  const headers = {
    ...asDashboard(worker, account.session),
    'X-Dashboard-Account': account.id,
  };
  const session = await api.get('/api/dashboard/session', { headers });
  return (await readData<{ person: { id: string } }>(session)).person.id;
}
