import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unusedPort } from '#lib/testing/loopback.ts';

const execute = promisify(execFile);

/** The folder of the programs of the newest PostgreSQL on this machine. */
const programs = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted().map(dirname).at(-1);

/** Whether this machine can start a PostgreSQL server. */
export const hasPostgresServer = programs !== undefined;

/**
 * Starts a PostgreSQL server that a test may crash. It writes what no commit waits for to the disk
 * so rarely that a crash loses it.
 */
export async function startPostgresServer() {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  const run = async (program: string, ...options: string[]) => {
    const command = [join(programs ?? '', program), '-D', data, ...options];
    // The programs refuse to run as root.
    if (isRoot) command.unshift('runuser', '-u', 'postgres', '--');
    await execute(command[0] ?? '', command.slice(1), { cwd: folder });
  };
  if (isRoot) {
    await execute('chown', ['postgres', folder]);
    await chmod(folder, 0o755);
  }
  await run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const port = await unusedPort();
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c wal_writer_delay=10s`;
  const start = () => run('pg_ctl', '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  const crash = () => run('pg_ctl', '-w', '-m', 'immediate', 'stop');
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Ends the server without a checkpoint, and starts it again. */
    async crash() {
      await crash();
      await start();
    },
    async remove() {
      await crash();
      await rm(folder, { recursive: true });
    },
  };
}
