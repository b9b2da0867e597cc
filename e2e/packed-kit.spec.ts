import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { LaunchOptions } from '@playwright/test';
import type { Server } from 'conversation-service-playwright-kit';
import { test } from './fixtures.ts';
import { runAdmin } from './helpers/operator.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = join(root, 'packages/playwright-kit/example');
const run = promisify(execFile);

test('the example project goes from an empty folder to green with four workers, each test in an account of its own, and --trace on stores no token', async ({
  service,
}, testInfo) => {
  const project = testInfo.outputPath('project');
  const token = await createProvisioner(service.server);
  await install(project, testInfo.project.use.launchOptions);
  await expectStrictTypes(project);
  const ended = await runTests(project, {
    MESSAGING_URL: service.origin,
    MESSAGING_PROVISIONER_TOKEN: token,
  });
  expect(ended.exitCode, ended.printed).toBe(0);
  expect(ended.printed).toContain('5 passed');
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
  await writeFile(
    join(project, 'here.config.ts'),
    `import config from './playwright.config.ts';
     export default { ...config, use: { ...config.use, ...${use} } };`,
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
  const include = ['playwright.config.ts', 'own-installation.ts', 'tests'];
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
): Promise<{ exitCode: number | null; printed: string }> {
  const cli = 'node_modules/@playwright/test/cli.js';
  const args = ['test', '--config', 'here.config.ts', '--trace', 'on'];
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
