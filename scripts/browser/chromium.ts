import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { chromiumArguments } from './chromium-arguments.ts';

/** A browser that can be launched. Without a path it is Playwright's own. */
export type Browser = { executablePath?: string; env?: Record<string, string> };

type Source = { name: string; find: () => Browser | undefined };

const minute = 60_000;
const cache = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** Finds or downloads a Chromium, from the cheapest source that works, and prints which one. */
export async function obtainChromium(): Promise<Browser> {
  for (const { name, find } of sources) {
    const browser = find();
    if (!browser) continue;
    const fault = await tryLaunch(browser);
    if (fault === undefined) {
      console.log(
        `Browser: ${name}${browser.executablePath ? ` (${browser.executablePath})` : ''}`,
      );
      return browser;
    }
    console.log(`Browser: ${name} does not start: ${fault}`);
  }
  throw new Error('No usable Chromium found. Install one, or name it in CHROMIUM_PATH.');
}

/** The variables with which Playwright's tests launch this browser (`CHROMIUM_PATH`). */
export function environmentOf({ executablePath, env }: Browser): Record<string, string> {
  return { ...env, ...(executablePath !== undefined && { CHROMIUM_PATH: executablePath }) };
}

const sources: Source[] = [
  { name: 'CHROMIUM_PATH', find: () => at(process.env['CHROMIUM_PATH']) },
  {
    name: "Playwright's Chromium",
    find: () => (existsSync(chromium.executablePath()) ? {} : undefined),
  },
  { name: "the system's Chromium", find: findSystemChromium },
  { name: "Playwright's Chromium, downloaded now", find: downloadWithPlaywright },
  { name: 'Chromium from the npm package @sparticuz/chromium', find: installFromNpm },
  { name: 'Chromium from apt', find: installWithApt },
];

async function tryLaunch({ executablePath, env }: Browser): Promise<string | undefined> {
  try {
    const browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: chromiumArguments,
      env: { ...process.env, ...env },
    });
    await browser.close();
    return undefined;
  } catch (error) {
    const [firstLine] = String(error).split('\n');
    return firstLine;
  }
}

function findSystemChromium(): Browser | undefined {
  const names = [
    // Without the windows and menus of a full browser, which take time in every test.
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return at(paths.find((path) => existsSync(path)));
}

function downloadWithPlaywright(): Browser | undefined {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  return run(process.execPath, [cli, 'install', '--only-shell', 'chromium']) ? {} : undefined;
}

/** Installs an npm package with the binary and the libraries it needs, on Linux for x64 only. */
function installFromNpm(): Browser | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const install = ['install', '--prefix', cache, '--no-save', '--ignore-scripts'];
  if (!run('npm', [...install, '@sparticuz/chromium@153.0.0'])) return undefined;
  const module = join(cache, 'node_modules/@sparticuz/chromium/build/index.js');
  const unpack = `import(${JSON.stringify(module)}).then(async (m) =>
    console.log(await m.default.executablePath()))`;
  const { stdout } = spawnSync(process.execPath, ['-e', unpack], {
    encoding: 'utf8',
    // The package unpacks its libraries only if it believes that it runs in AWS Lambda.
    env: { ...process.env, TMPDIR: cache, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  const browser = at(stdout.trim());
  return browser && { ...browser, env: { LD_LIBRARY_PATH: join(cache, 'al2023/lib') } };
}

function installWithApt(): Browser | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  run('apt-get', ['update']);
  const install = ['install', '-y', '--no-install-recommends'];
  const isInstalled =
    run('apt-get', [...install, 'chromium-headless-shell']) ||
    run('apt-get', [...install, 'chromium']);
  return isInstalled ? findSystemChromium() : undefined;
}

function at(executablePath: string | undefined): Browser | undefined {
  return executablePath ? { executablePath } : undefined;
}

function run(command: string, args: string[]): boolean {
  console.log(`Browser: ${command} ${args.join(' ')}`);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    timeout: 5 * minute,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
