import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote } from '../fixtures.ts';
import { buildElsewhere } from '../helpers/servers/other-build.ts';
import { newToken, startServer } from '../helpers/servers/server.ts';
import { choiceOf } from '../pages/api-keys.ts';
import { whenHydrated } from '../pages/await-hydration.ts';
import { signIn } from '../pages/people/sign-in.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';

const test = base.extend<{ install: (change: Change) => Promise<Installation> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
  install: async ({}, use) => {
    let installation: Installation | undefined;
    await use(async (change) => (installation = await startInstallation(change)));
    await installation?.end();
  },
});

test.skip(isRemote, 'starts services of its own');
test.setTimeout(600_000);

const person = { email: 'ida@example.com', password: newToken() };

test('behind a proxy that takes turns, a page works in processes that were built apart', async ({
  install,
  page,
}) => {
  const installation = await install(null);
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  const home = await openKeys(page, installation.origin);
  for (const name of ['First', 'Second']) {
    await openForm(page, home);
    await submit(page, name);
    expect(await readSecretOnce(page)).toMatch(/^sk_live_/);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  }
  expect(await installation.keyNames()).toEqual(expect.arrayContaining(['First', 'Second']));
  expect(missing).toEqual([]);
});

test('while two versions take turns, a press on an open page works or says that the page must be reloaded', async ({
  install,
  page,
}) => {
  const installation = await install({
    file: 'components/api-keys/form/create-api-key.tsx',
    from: 'If you lose it, rotate the key.',
    to: 'If you lose it, rotate the key again.',
  });
  const home = await openKeys(page, installation.origin);

  await test.step('which works, if the process has the version of the page', async () => {
    await openForm(page, home);
    installation.sendActionsTo('same');
    await submit(page, 'First');
    expect(await readSecretOnce(page)).toMatch(/^sk_live_/);
  });

  await test.step('which does nothing, if the process has the other version', async () => {
    await openForm(page, home);
    installation.sendActionsTo('other');
    await submit(page, 'Second');
    const panel = page.getByRole('status').filter({ hasText: 'The key was not created' });
    await expect(panel).toContainText('The dashboard was updated after you opened this page');
    await expect(secretDialog(page).root).toBeHidden();
    await expect(panel.getByRole('button', { name: 'Reload page' })).toBeVisible();
  });

  const names = await installation.keyNames();
  expect(names.filter((name) => ['First', 'Second'].includes(name))).toEqual(['First']);
});

type Turn = 'same' | 'other';
type Change = Parameters<typeof buildElsewhere>[0];
type Installation = Awaited<ReturnType<typeof startInstallation>>;

/**
 * Two processes that serve pages, behind a proxy that sends them requests in turn. Both know one
 * API.
 */
async function startInstallation(change: Change) {
  const build = await buildElsewhere(change);
  const ports: number[] = [];
  let requests = 0;
  /** Which process the page that is open came from. */
  let pageFrom = 0;
  let turn: Turn | null = null;

  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    let to = (requests += 1) % ports.length;
    if (headers['sec-fetch-dest'] === 'document') pageFrom = to;
    if (headers['next-action'] !== undefined && turn !== null) {
      to = turn === 'same' ? pageFrom : 1 - pageFrom;
    }
    if (url.startsWith('/api/')) to = 0;
    const onward = request({ port: ports[to], method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, 'localhost'), 'listening');
  const origin = `http://localhost:${(proxy.address() as AddressInfo).port}`;

  const token = newToken();
  const shared = { PUBLIC_URL: origin, DASHBOARD_CREDENTIAL: newToken() };
  const first = await startServer({
    ...shared,
    INIT_ADMIN_EMAIL: person.email,
    INIT_ADMIN_PASSWORD: person.password,
    INIT_API_KEY: token,
  });
  const portOf = (server: { origin: string }) => Number(new URL(server.origin).port);
  ports.push(portOf(first));
  const second = await startServer(
    { ...shared, ROLES: 'web', API_BASE_URL: `http://localhost:${portOf(first)}` },
    { folder: build.folder },
  );
  ports.push(portOf(second));

  return {
    origin,
    sendActionsTo(next: Turn) {
      turn = next;
    },
    async keyNames(): Promise<string[]> {
      const response = await fetch(`http://localhost:${portOf(first)}/api/v1/api-keys`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { data } = (await response.json()) as { data: { name: string }[] };
      return data.map(({ name }) => name);
    },
    async end() {
      proxy.closeAllConnections();
      proxy.close();
      await Promise.all([first.destroy(), second.destroy()]);
      await build.remove();
    },
  };
}

/** Signs in. Returns the address of the account's pages. */
async function openKeys(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/sign-in`);
  await whenHydrated(page);
  await signIn(page, person);
  await page.waitForURL('**/settings/api-keys');
  return page.url().replace(/settings\/api-keys.*/, '');
}

async function openForm(page: Page, home: string): Promise<void> {
  // A page that came from the other process may still be loading itself, which would end the
  // navigation to the form.
  await page.goto('about:blank');
  await page.goto(`${home}settings/api-keys/new`);
  await whenHydrated(page);
}

async function submit(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await choiceOf(page, 'type', 'full').check();
  await page.getByRole('button', { name: 'Create key' }).click();
}
