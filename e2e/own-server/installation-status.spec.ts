import { expect } from '@playwright/test';
import {
  apiWith,
  expectAccessible,
  openSession,
  post,
  writeMessage,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { startMailServer } from '../helpers/servers/mail-server.ts';
import { startWorkerServer } from '../helpers/servers/worker-server.ts';

test.setTimeout(300_000);

test('installation support sees the status of the installation, live: its process, a webhook that fails and an email that is stuck, and nobody else does', async ({
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
    const { apiProxy, control, password, server } = worker;
    const halden = await worker.addAccount('Halden Logistics');
    const api = await apiWith(playwright, { origin: server.origin, token: halden.token });
    const page = await context.newPage();

    await context.addCookies(halden.session);
    await page.goto('/support/status');
    await expect(page, 'of an owner').toHaveURL(`/a/${halden.id}/settings/api-keys`);

    const priya = { email: `priya@${halden.domain}`, password };
    await control.addSupporter(priya);
    await context.addCookies(await openSession(worker, priya));
    await page.goto('/support');
    const operator = page.getByRole('navigation', { name: 'Operator' });
    await operator.getByRole('link', { name: 'Status' }).click();
    await expect(page.getByRole('heading', { name: 'Status', level: 1 })).toBeVisible();
    await expect(operator.getByRole('link', { name: 'Status' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    const main = page.getByRole('main');
    await expect(main.getByText('All systems operational')).toBeVisible();
    const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1);
    await expect(row).toContainText(/PID \d+.*API, Deliveries, Pages.*\d+\.\d+\.\d+.*[MG]iB/);
    await expect(main).toContainText(/Embedded PostgreSQL \d+/);
    await expect(main).toContainText('None was made with npm run admin -- backup');
    await expect(main).toContainText('None in the last 30 days');
    await expectAccessible(page, 'status of an installation in order');

    mail.close();
    receiver.respondWith({ status: 503, body: 'The warehouse is being loaded.' });
    await post(api, '/api/v1/webhooks', {
      name: 'Order notifier',
      url: `${receiver.url}/secret-path`,
      events: ['message.created'],
    });
    await writeMessage(api, 'Where is my order?');
    await receiver.received(1);
    // Before the clock moves, or the failure would be recorded as one of that time.
    await expect(main, 'the page reads again by itself').toContainText('Webhooks failing1', {
      timeout: 90_000,
    });
    // After five minutes it is failing, of which the owner is told by email.
    await control.moveClock({ ms: 6 * 60_000 });
    await expect(async () => {
      await page.reload();
      await expect(main).toContainText('1 failing of 1', { timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    await expect(main.getByRole('link', { name: 'Halden Logistics' })).toBeVisible();
    await control.moveClock({ ms: 60_000 });
    const troubles = main.getByRole('list', { name: 'Problems' });
    await expect(async () => {
      await page.reload();
      await expect(troubles.getByRole('listitem')).toHaveText([/^\d+ emails? (is|are) stuck/], {
        timeout: 2000,
      });
    }).toPass({ timeout: 90_000 });
    await expect(main.getByText('1 problem', { exact: true })).toBeVisible();
    await expect(main).not.toContainText(/warehouse|secret-path|Order notifier|example\.com/);
    await expectAccessible(page, 'status of an installation with a problem');

    guard.allow(/status of 500/);
    const path = /\/installation-status$/;
    apiProxy.respondTo('GET', path, () => ({
      status: 500,
      body: { success: false, error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } },
    }));
    await page.reload();
    await expect(main.getByText('The status could not be loaded')).toBeVisible();
    await expectAccessible(page, 'status that could not be read');
    apiProxy.reset();
    await main.getByRole('button', { name: 'Try again' }).click();
    await expect(troubles).toBeVisible();
    await main.getByRole('link', { name: 'Halden Logistics' }).click();
    await expect(
      page.getByRole('heading', { name: 'Why are you opening Halden Logistics?' }),
    ).toBeVisible();
  } finally {
    await context.close();
    mail.close();
    await worker.server.destroy();
    await worker.apiProxy.close();
  }
});
