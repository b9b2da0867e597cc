import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Engine } from '../rows.ts';
import type { Results } from './results.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the figures depend on besides the load: the code, the machine and the databases. */
export async function describeMachine(
  engines: readonly Engine[],
): Promise<Omit<Results, 'isFull' | 'rows'>> {
  const changes = await git('status', '--porcelain', '--', '.', ':!service/bench/results');
  return {
    date: new Date().toISOString(),
    commit: (await git('rev-parse', '--short', 'HEAD')) ?? 'unknown',
    isChanged: changes !== '',
    machine: {
      node: process.version,
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 1024 ** 3),
      system: `${type()} ${release()}`,
    },
    engines: {
      pglite: await pgliteVersion(),
      postgresql: engines.includes('postgresql') ? await postgresVersion() : null,
    },
  };
}

/** The load average of the last minute. */
export function loadNow(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/** The output of git; null outside of a repository. */
async function git(...words: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', words, { cwd: root })).stdout.trim();
  } catch {
    return null;
  }
}

async function pgliteVersion(): Promise<string> {
  const path = `${root}/node_modules/@electric-sql/pglite/package.json`;
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
  return version;
}

async function postgresVersion(): Promise<string> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  // The name of the packager follows the version.
  return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
}
