import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import {
  expectAccessible,
  signIn,
  signInPrompt,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { Server } from 'conversation-service-playwright-kit';
import { minuteMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { hangUpOnPages } from '../helpers/hang-up.ts';
import { runAdmin, startSecond } from '../helpers/operator.ts';

test.use({ accountName: 'Evening & Sons', serviceWorkers: 'allow' });
test.describe.configure({ timeout: 180_000 });

/** What docs/operations/running.md promises, no matter what clients do. */
const stopsWithinMs = 20_000;

test('an operator’s evening: commands while pages are open, then a restart after which everything continues by itself', async ({
  api,
  browser,
  context,
  givenWebhook,
  guard,
  receiver,
  service,
  signedIn: page,
}) => {
  const server = serverOf(service);
  // A server that stops breaks connections that a page still uses.
  guard.allow(/ERR_CONNECTION_(?:REFUSED|RESET)|status of 503/);
  await page.goto('settings/api-keys');

  await test.step('people and limits are changed while the service runs', async () => {
    await changePeopleAndLimits(browser, { server, service });
  });

  await test.step('a service that cannot start says why', async () => {
    const second = await startSecond(server, { RATE_LIMIT_PER_MINUT: '5' });
    expect(second.exitCode).toBe(1);
    expect(second.output).toContain(
      'RATE_LIMIT_PER_MINUT is not a setting. Did you mean RATE_LIMIT_PER_MINUTE?',
    );
    expect(second.output).toMatch(
      new RegExp(`^The data folder ${server.dataDir} is in use by .+\\.$`, 'm'),
    );
  });

  const webhook = await givenWebhook({ url: receiver.url, isActive: true });
  await test.step('an event is published whose delivery is due after the restart', async () => {
    receiver.respondWith({ status: 503, headers: { 'Retry-After': '600' } });
    await writeMessage(api, 'Where is it?');
    await receiver.received(1);
  });

  await test.step('clients that hang up in the middle of a request end no process', async () => {
    await hangUpOnPages(server.origin, 60);
    // Sent last, so these get a response only after the requests before them were handled.
    expect((await api.get('/sign-in')).status()).toBe(200);
    expect((await api.get('/readyz')).status()).toBe(200);
    expect(server.exitCode()).toBeNull();
  });

  await expectSmallServiceWorker(page);
  const reloaded = await context.newPage();
  await reloaded.goto('settings/api-keys/new?from=here');
  await test.step('the service stops while pages are open', async () => {
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).toBeLessThan(stopsWithinMs);
    expect(server.exitCode()).toBe(0);
  });

  await test.step('a followed link shows a notice in the frame, a reload shows the waiting page', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByText('The service cannot be reached', { exact: true })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Loading webhooks' })).toBeVisible();
    await expect(page).toHaveTitle(/^Webhooks · /);

    const address = reloaded.url();
    await reloaded.reload();
    await expectWaitingPage(reloaded);
    await expect(reloaded).toHaveURL(address);
    await expectAccessible(reloaded, 'the page that waits');
    await reloaded.getByRole('button', { name: 'Try now' }).click();
    await expect(reloaded.getByRole('status')).toHaveText('The service still cannot be reached.');
    await reloaded.goto('settings/security');
    await expectWaitingPage(reloaded);
  });

  await server.start();
  // Rendering the first page takes longer than the pages wait before they try again.
  expect((await api.get('/sign-in')).status()).toBe(200);
  await test.step('the pages come back by themselves, and nothing is lost', async () => {
    await expect(page.getByRole('link', { name: webhook.name, exact: true })).toBeVisible();
    await expect(page.getByText('The service cannot be reached', { exact: true })).toBeHidden();
    await expect(reloaded.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible();
    await expect(reloaded).toHaveTitle(/^Security · /);
    await expectQuota(page, '1 of 5 active API keys used');

    const [first] = receiver.requests;
    receiver.respondWith({ status: 204 });
    await server.control?.moveClock({ ms: 11 * minuteMs });
    const again = await receiver.received(2);
    expect(again.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again.body).toBe(first?.body);
  });
});

function serverOf({ server }: Service): Server {
  return server;
}

async function changePeopleAndLimits(
  browser: Browser,
  { server, service }: { server: Server; service: Service },
): Promise<void> {
  const { id, name, domain } = service.account;
  const email = `nils@${domain}`;
  const admin = async (...args: string[]) => await runAdmin(server, ...args);

  const [accounts, added, limited] = await Promise.all([
    admin('list-accounts'),
    admin('add-member', id, email, 'admin'),
    admin('set-limits', id, '5', 'default'),
  ]);
  expect(accounts).toMatch(new RegExp(`^${id}  +${name}  .*${service.owner.email}$`, 'm'));
  expect(added).toContain(`Added ${email} to account "${name}" as admin.`);
  expect(limited).toContain(`Account "${name}" can have 5 active API keys`);
  const [, password = ''] = /shown only now:\s+(\S.*)/.exec(added) ?? [];

  const context = await browser.newContext({ baseURL: service.home });
  const page = await context.newPage();
  await page.goto('settings/api-keys/new');
  await signIn(page, { email, password });
  await expect(page.getByRole('heading', { level: 1, name: 'Create key' })).toBeVisible();
  await expect(page.getByText('1 of 5 active API keys used')).toBeVisible();

  const members = await admin('list-members', id);
  expect(members).toMatch(new RegExp(`^${email}  +admin`, 'm'));
  expect(members).toMatch(new RegExp(`^${service.owner.email}  +owner`, 'm'));

  await page.getByRole('textbox', { name: 'Name' }).fill('Too late');
  await page.getByRole('checkbox', { name: 'See keys' }).check();
  const removed = await admin('remove-member', id, email);
  expect(removed).toContain(`Removed ${email} from account "${name}" and ended 1 session.`);
  await page.getByRole('button', { name: 'Create key' }).click();
  const prompt = signInPrompt(page);
  await expect(prompt).toContainText(email);
  await prompt.getByRole('link', { name: 'Sign in as someone else' }).click();
  await page.waitForURL(/\/sign-in\?/);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await context.close();
}

/** The worker is active, its script is never cached, and it stores nothing itself. */
async function expectSmallServiceWorker(page: Page): Promise<void> {
  const script = await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    return { url: active?.scriptURL ?? '', caches: await caches.keys() };
  });
  expect(new URL(script.url).pathname).toBe('/service-worker.js');
  expect(script.caches).toEqual([]);
  const { headers, status } = await page.evaluate(async () => {
    const response = await fetch('/service-worker.js');
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  });
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toMatch(/javascript/);
}

async function expectWaitingPage(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: 'The service cannot be reached' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('The service cannot be reached · Conversation Service');
  await expect(page.getByText(/^Trying again in 0:0[1-5]\.$/)).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('This page retries automatically.');
}

async function expectQuota(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'Create key' }).click();
  await expect(page.getByText(text)).toBeVisible();
}
