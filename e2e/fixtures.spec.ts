import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { LaunchOptions } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { readData } from './helpers/read-data.ts';

test.skip(isRemote, 'It is itself a run against a service elsewhere.');

const kit = ['fixtures.ts', 'pages', 'helpers'];
const packages = ['@playwright/test', 'playwright', 'playwright-core'];

test('the fixtures work in a project that has Playwright and nothing else', async ({
  service,
  api,
}, testInfo) => {
  test.slow();
  const project = testInfo.outputPath('project');
  await makeProject(project, testInfo.project.use.launchOptions);

  const { exitCode, printed } = await runPlaywright(project, {
    E2E_BASE_URL: service.origin,
    E2E_EMAIL: service.owner.email,
    E2E_PASSWORD: service.owner.password,
  });
  expect(exitCode, printed).toBe(0);
  expect(printed).toContain('2 passed');

  // At the end, nothing that this run created is still in use. Its things have the run's id in
  // their names.
  const keys = await readData<{ name: string; status: string }[]>(
    await api.get('/api/v1/api-keys'),
  );
  const made = keys.filter(({ name }) => /^(Suite|Key) e2e-/.test(name));
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(made.filter(({ status }) => status !== 'revoked')).toEqual([]);
  const webhooks = await readData<{ name: string }[]>(await api.get('/api/v1/webhooks'));
  expect(webhooks.filter(({ name }) => name.includes('e2e-'))).toEqual([]);
});

test.describe('in a browser that is not in UTC', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('keys and webhooks are created through the form with the words of the API, and expire as told', async ({
    api,
    createApiKey,
    createWebhook,
    named,
  }) => {
    const expiresAt = new Date('2040-05-06T07:08:00Z');
    const key = {
      name: named('Words'),
      type: 'limited',
      scopes: ['webhooks:read', 'events:read'],
    } as const;
    await createApiKey({ ...key, expiresAt });
    const webhook = { name: named('Words'), events: ['message.created', 'conversation.closed'] };
    await createWebhook(webhook);

    const keys = await readData<object[]>(await api.get('/api/v1/api-keys'));
    const end = '2040-05-06T07:08:00.000+00:00';
    expect(keys).toContainEqual(expect.objectContaining({ ...key, expires_at: end }));
    const webhooks = await readData<object[]>(await api.get('/api/v1/webhooks'));
    expect(webhooks).toContainEqual(expect.objectContaining(webhook));
  });
});

async function makeProject(folder: string, launchOptions?: LaunchOptions): Promise<void> {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(here, '../node_modules', name), link);
  }
  for (const name of kit) {
    await cp(join(here, name), join(folder, 'e2e', name), { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [index, suite] of (await suitesInReadme(here)).entries()) {
    await writeFile(join(folder, `suite-${index + 1}.spec.ts`), suite);
  }
  await writeFile(
    join(folder, 'playwright.config.ts'),
    `export default ${JSON.stringify({ use: { launchOptions } })};`,
  );
}

/** The example suites in the kit's README, verbatim. */
async function suitesInReadme(here: string): Promise<string[]> {
  const page = await readFile(join(here, 'README.md'), 'utf8');
  return [...page.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, suite]) => suite ?? []);
}

async function runPlaywright(
  folder: string,
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; printed: string }> {
  const run = spawn(process.execPath, ['node_modules/@playwright/test/cli.js', 'test'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'test',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await once(run, 'close');
  return { exitCode: run.exitCode, printed };
}
