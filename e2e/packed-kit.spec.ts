import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { expect } from '@playwright/test';
import type { LaunchOptions } from '@playwright/test';
import type { Server } from 'conversation-service-playwright-kit';
import { test as base } from './fixtures.ts';
import { runAdmin } from './helpers/operator.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = join(root, 'packages/playwright-kit/example');
const run = promisify(execFile);

const test = base.extend<object, { project: string }>({
  /** The example project, outside of the workspace, with the packed kit. */
  project: [
    async ({ launchOptions }, use) => {
      const project = await mkdtemp(join(tmpdir(), 'messaging-tests-'));
      await install(project, launchOptions);
      await use(project);
      await rm(project, { recursive: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

// They share the project.
test.describe.configure({ mode: 'default' });

test('the example project goes from an empty folder to green with four workers, each test in an account of its own, also with a service that it starts, and --trace on stores no token', async ({
  project,
  service,
}) => {
  const token = await createProvisioner(service.server);
  await expectStrictTypes(project);
  const ended = await runTests(project, {
    MESSAGING_URL: service.origin,
    MESSAGING_PROVISIONER_TOKEN: token,
    PRODUCT: root,
  });
  expect(ended.exitCode, ended.printed).toBe(0);
  expect(ended.printed).toContain('6 passed');
  expect(ended.printed).toContain('using 4 workers');
  expect(await storedFiles(join(project, 'test-results'))).toEqual([]);
  expect(await runAdmin(service.server, 'list-provisioners')).toMatch(/ 0$/m);

  const wrong = await runTests(project, {
    MESSAGING_URL: service.origin,
    MESSAGING_PROVISIONER_TOKEN: `${token}x`,
  });
  expect(wrong.printed).toContain('The service does not accept the provisioner token');
  const away = { MESSAGING_URL: 'http://127.0.0.1:1', MESSAGING_PROVISIONER_TOKEN: token };
  expect((await runTests(project, away)).printed).toContain('No service responds at');
  expect((await runTests(project, {})).printed).toContain('Set MESSAGING_URL to');
});

test('a script without a runner starts a service and a receiver, and ends', async ({ project }) => {
  const env = { ...process.env, PRODUCT: root };
  const { stdout } = await run(process.execPath, ['without-runner.ts'], { cwd: project, env });
  expect(stdout).toBe('Received: conversation.created\n');
});

test('neither a test that fails nor one that times out leaves a token, a secret or a cookie in its results', async ({
  project,
  service,
}) => {
  await writeFile(join(project, 'tests/ends-badly.spec.ts'), endsBadly);
  const seen = join(project, 'seen');
  const ended = await runTests(
    project,
    {
      MESSAGING_URL: service.origin,
      MESSAGING_PROVISIONER_TOKEN: await createProvisioner(service.server),
      SEEN: seen,
    },
    ['ends-badly'],
  );
  await rm(join(project, 'tests/ends-badly.spec.ts'));
  expect(ended.printed).toContain('2 failed');
  expect(ended.printed).toContain('Test timeout of 1ms exceeded');

  const secrets = (await readFile(seen, 'utf8')).trim().split('\n');
  expect(secrets.length).toBeGreaterThanOrEqual(8);
  const results = ['test-results', 'playwright-report'].map((name) => join(project, name));
  const files = (await Promise.all(results.map(storedFiles))).flat();
  expect(files.some((file) => file.endsWith('index.html'))).toBe(true);
  const places: [string, string][] = [
    ['the output', ended.printed],
    ...(await Promise.all(
      files.map(async (file): Promise<[string, string]> => [file, await readResult(file)]),
    )),
  ];
  const found = places.filter(([, stored]) => secrets.some((secret) => stored.includes(secret)));
  expect(found.map(([place]) => place)).toEqual([]);
});

test('a bot key without scopes is refused in one sentence, and a person of two accounts works in that of the test, with attach and in an installation of the tests', async ({
  project,
  service,
}) => {
  await writeFile(join(project, 'tests/promises.spec.ts'), promises);
  const ended = await runTests(
    project,
    {
      MESSAGING_URL: service.origin,
      MESSAGING_PROVISIONER_TOKEN: await createProvisioner(service.server),
      PRODUCT: root,
    },
    ['promises'],
  );
  await rm(join(project, 'tests/promises.spec.ts'));
  expect(ended.exitCode, ended.printed).toBe(0);
  expect(ended.printed).toContain('3 passed');
});

test('the examples of the README are files of the example project', async () => {
  const readme = await readFile(join(example, '../README.md'), 'utf8');
  const names = (await readdir(example, { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const files = await Promise.all(
    names.map(async (name) => await readFile(join(example, name), 'utf8')),
  );
  const snippets = Array.from(readme.matchAll(/^```ts\n([^]*?)^```$/gm), ([, code = '']) => code);
  expect(snippets.length).toBeGreaterThan(1);
  for (const snippet of snippets) expect(files).toContain(snippet);
});

/**
 * Two tests that know tokens, a secret and cookies, while a page shows one of the tokens; they write
 * them to a file that is no result.
 */
const endsBadly = `
import { appendFileSync } from 'node:fs';
import { expect, secretDialog, submitApiKey, test } from 'conversation-service-playwright-kit';

test.beforeEach(async ({ account, context, createWebhook, receiver, signedIn: page }) => {
  const { secret } = await createWebhook({ url: receiver.url });
  await submitApiKey(page, { name: 'Shown' });
  const { value } = secretDialog(page);
  await expect(value).toHaveValue(/^sk_live_/);
  const cookies = (await context.cookies()).map((cookie) => cookie.value);
  const secrets = [account.token, secret, await value.inputValue(), ...cookies];
  appendFileSync(process.env.SEEN, secrets.map((text) => text + '\\n').join(''));
});

test('fails', async ({ account, context, signedIn: page }) => {
  const cookies = (await context.cookies()).map(({ name, value }) => name + '=' + value);
  expect.soft(cookies.join('; ')).toBe('');
  expect.soft(await context.cookies()).toEqual([]);
  expect.soft(account).toBe(null);
  await expect(secretDialog(page).value).toHaveValue('another', { timeout: 1000 });
});

test('times out', async ({ signedIn: page }) => {
  setTimeout(() => test.setTimeout(1), 1000);
  await expect(secretDialog(page).value).toHaveValue('another', { timeout: 0 });
});
`;

/** What a new user tries, and what goes wrong if a fixture opens an address that names no account. */
const promises = `
import { createInstallation, expect, followLink, invite, test } from 'conversation-service-playwright-kit';

test('no scopes', async ({ createApiKey }) => {
  await expect(createApiKey({ type: 'bot', scopes: [] })).rejects.toThrow(
    /^The page shows no secret, but: Select at least one scope\\.$/,
  );
});

const inOwn = test.extend({
  installation: [
    async ({ playwright: _ }, use) => {
      const installation = await createInstallation({ product: process.env.PRODUCT });
      await use(installation);
      await installation.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

for (const [how, run] of [['attached', test], ['own', inOwn]]) {
  run(how, async ({ account, api, browser, createApiKey, installation, signedIn: page }) => {
    const other = await installation.addAccount('Other Ltd');
    const context = await browser.newContext({ baseURL: other.home });
    await context.addCookies(other.session);
    const theirs = await context.newPage();
    await theirs.goto('settings/team');
    const link = await invite(theirs, { email: account.owner.email, role: 'Admin' });
    await followLink(page, link);
    await page.getByRole('button', { name: 'Join Other Ltd' }).click();
    // The account that they chose last.
    await expect(page).toHaveURL(other.home + 'settings/api-keys');

    const { name } = await createApiKey();
    expect(await (await api.get('/api/v1/api-keys')).text()).toContain(name);
    await other.remove();
  });
}
`;

/** The text of a result: a report of Playwright contains an archive in base64. */
async function readResult(file: string): Promise<string> {
  const stored = await readFile(file, 'latin1');
  const [, archive] = /data:application\/zip;base64,([\w+/=]+)/.exec(stored) ?? [];
  return archive === undefined ? stored : stored + unzip(Buffer.from(archive, 'base64'));
}

/** The texts of the files in a ZIP archive, found by the entries of its directory. */
function unzip(archive: Buffer): string {
  const entry = 'PK\u0001\u0002';
  let texts = '';
  for (let at = archive.indexOf(entry); at >= 0; at = archive.indexOf(entry, at + 4)) {
    const size = archive.readUInt32LE(at + 20);
    const header = archive.readUInt32LE(at + 42);
    const nameAndExtra = archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const start = header + 30 + nameAndExtra;
    texts += inflateRawSync(archive.subarray(start, start + size)).toString();
  }
  return texts;
}

/** Packs the packages and what they depend on, and installs these files without a registry. */
async function install(project: string, launchOptions?: LaunchOptions): Promise<void> {
  await cp(example, project, { recursive: true });
  const packages = ['client', 'playwright-kit'].map((name) => join(root, 'packages', name));
  const dependencies = [
    'openapi-fetch',
    'openapi-typescript-helpers',
    'axe-core',
    '@playwright/test',
    'playwright',
    'playwright-core',
  ].map((name) => join(root, 'node_modules', name));
  const pack = ['pack', '--silent', '--pack-destination', project];
  await run('npm', [...pack, ...packages], { cwd: root });
  await run('npm', [...pack, '--ignore-scripts', ...dependencies], { cwd: root });
  const files = (await readdir(project)).filter((file) => file.endsWith('.tgz'));
  const options = ['--offline', '--omit=optional', '--no-save', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, ...files.map((file) => `./${file}`)], { cwd: project });
  const use = JSON.stringify({ launchOptions });
  // A busy machine may take longer than Playwright's 30 seconds, and 5 for an expectation.
  await writeFile(
    join(project, 'here.config.ts'),
    `import config from './playwright.config.ts';
     const patience = { timeout: 120_000, expect: { timeout: 20_000 } };
     export default { ...config, ...patience, use: { ...config.use, ...${use} } };`,
  );
}

/** Compiles the example with the declarations of the packages, and requires the kit from CommonJS. */
async function expectStrictTypes(project: string): Promise<void> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const include = ['playwright.config.ts', 'without-runner.ts', 'tests'];
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const checked = await run(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  expect(checked.stdout).toBe('');
  const code = `console.log(typeof require('conversation-service-playwright-kit').attach)`;
  const { stdout } = await run(process.execPath, ['--eval', code], { cwd: project });
  expect(stdout.trim()).toBe('function');
}

async function runTests(
  project: string,
  environment: Record<string, string>,
  options: readonly string[] = [],
): Promise<{ exitCode: number | null; printed: string }> {
  const cli = 'node_modules/@playwright/test/cli.js';
  const args = ['test', '--config', 'here.config.ts', '--trace', 'on', ...options];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const [exitCode] = await ended;
  return { exitCode, printed };
}

async function createProvisioner(server: Server): Promise<string> {
  const printed = await runAdmin(server, 'create-provisioner', `Suite ${crypto.randomUUID()}`);
  const [token] = /\S+$/.exec(printed.trim()) ?? [];
  if (token === undefined) throw new Error(`no token in: ${printed}`);
  return token;
}

/** What the run stored: a trace, a video or a picture would contain tokens. */
async function storedFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && !file.name.endsWith('.last-run.json'))
    .map(({ parentPath, name }) => join(parentPath, name));
}
