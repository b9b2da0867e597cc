import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import {
  bearer,
  choiceOf,
  newToken,
  readSecretOnce,
  signIn,
  whenHydrated,
} from 'conversation-service-playwright-kit';
import { startServer } from '../helpers/servers/server.ts';

test.setTimeout(600_000);

// `outdated-page.spec.ts` shows what a page says to a process that has another version.
test('behind a proxy that takes turns, a page works in processes that were built apart', async ({
  page,
}) => {
  const folder = await buildElsewhere();
  const ports: string[] = [];
  let requests = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const turn = (requests += 1) % ports.length;
    const port = ports[url.startsWith('/api/') ? 0 : turn];
    const onward = request({ port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, 'localhost'), 'listening');
  const origin = `http://localhost:${(proxy.address() as AddressInfo).port}`;

  const person = { email: 'ida@example.com', password: newToken() };
  const token = newToken();
  const shared = { PUBLIC_URL: origin, DASHBOARD_CREDENTIAL: newToken() };
  const first = await startServer({
    ...shared,
    INIT_ADMIN_EMAIL: person.email,
    INIT_ADMIN_PASSWORD: person.password,
    INIT_API_KEY: token,
  });
  const second = await startServer(
    { ...shared, ROLES: 'web', API_BASE_URL: first.origin },
    { folder },
  );
  ports.push(new URL(first.origin).port, new URL(second.origin).port);
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url());
  });

  await page.goto(`${origin}/sign-in`);
  await whenHydrated(page);
  await signIn(page, person);
  await page.waitForURL('**/settings/api-keys');
  const list = page.url();
  for (const name of ['First', 'Second']) {
    // A page that came from the other process may still be loading itself, which would end the
    // navigation to the form.
    await page.goto('about:blank');
    await page.goto(`${list}/new`);
    await whenHydrated(page);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await choiceOf(page, 'type', 'full').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await readSecretOnce(page)).toMatch(/^sk_live_/);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  }
  const keys = await fetch(`${first.origin}/api/v1/api-keys`, { headers: bearer(token) });
  expect(await keys.json()).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ name: 'First' }),
      expect.objectContaining({ name: 'Second' }),
    ]),
  });
  expect(missing).toEqual([]);

  proxy.closeAllConnections();
  proxy.close();
  await Promise.all([first.destroy(), second.destroy()]);
  await rm(folder, { recursive: true });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const left = ['.git', '.next', 'data', 'node_modules', 'reports', 'test-results'];

/** Copies the project into another folder, and builds the dashboard there. */
async function buildElsewhere(): Promise<string> {
  const run = promisify(execFile);
  const folder = await mkdtemp(join(tmpdir(), 'e2e-build-'));
  const isLeft = (path: string) => left.some((name) => path === join(root, name));
  await cp(root, folder, { recursive: true, filter: (path) => !isLeft(path) });
  // As hard links, where the other folder is on the same file system.
  const packages = [join(root, 'node_modules'), folder];
  await run('cp', ['-al', ...packages]).catch(() => run('cp', ['-a', ...packages]));
  await run(process.execPath, ['scripts/build.ts'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  return folder;
}
