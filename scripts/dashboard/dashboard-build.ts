import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { exitStatus } from '../exit-status.ts';
import { compressAssets } from './compress-assets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stampPath = join(root, '.next/source-hash');
const sources = [
  'app',
  'components',
  'lib',
  'public',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
  'package-lock.json',
  // Processes the output of the build.
  'scripts/dashboard/compress-assets.ts',
];

/** Receives the build's output, line by line. Without it, the lines go directly to the terminal. */
type Print = (line: string) => void;

/** Builds the dashboard unless the last build had the same sources; returns the exit status. */
export async function buildDashboardIfChanged(print?: Print): Promise<number> {
  // A bundle has a build, and no sources.
  if (!existsSync(join(root, 'app'))) return 0;
  const built = existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : undefined;
  if (built === hashSources()) return 0;
  const reason = built === undefined ? 'it has not been built yet' : 'its sources changed';
  (print ?? console.log)(`Building the dashboard: ${reason}.`);
  return await buildDashboard(print);
}

/** Builds the dashboard and records its sources; returns the exit status. */
export async function buildDashboard(print?: Print): Promise<number> {
  const hash = hashSources();
  const next = join(root, 'node_modules/next/dist/bin/next');
  const build = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    stdio: print ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...identityOf(hash),
      // A build runs too rarely for a cache of its own code.
      NODE_COMPILE_CACHE: undefined,
    },
  });
  for (const input of [build.stdout, build.stderr]) {
    if (input && print) createInterface({ input }).on('line', print);
  }
  const [code, signal] = (await once(build, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) return exitStatus(code, signal);
  await compressAssets(join(root, '.next/static'));
  writeFileSync(stampPath, hash);
  return 0;
}

/**
 * Makes the ids of a build and of its server actions a function of the sources. Processes can then
 * serve builds that were made apart: with the same sources each knows the pages of the others, and
 * with other sources none takes an action for another. Next makes the ids of actions from a key
 * that it would otherwise choose at random. It encrypts nothing with this one, because each process
 * derives its own (`open-pages.ts`).
 */
function identityOf(hash: string): Record<string, string> {
  return {
    DASHBOARD_BUILD_ID: hash.slice(0, 20),
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.from(hash, 'hex').toString('base64'),
  };
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(listFiles)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(source: string): string[] {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (source.includes('.')) return [source];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .toSorted();
}
