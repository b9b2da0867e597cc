import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config/environment.ts';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { createPostgresDatabase } from '../../testing/databases/postgres-database.ts';
import { reachesLoopback } from '../../testing/delivery/sender.ts';
import { newToken } from '../../tokens/token.ts';
import type { Engine } from '../rows.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const preloads = new URL('../../testing/processes/preloads/', import.meta.url);
const preload = (name: string) => ['--import', new URL(name, preloads).href];

/** An installed service, with a database and an account, which is not started yet. */
export type InstalledService = {
  environment: Environment;
  /** The token of the account's first key, which has every scope. */
  token: string;
  start(options?: StartOptions): Promise<RunningService>;
  remove(): Promise<void>;
};

type StartOptions = {
  /** Whether it serves the dashboard too, which is built first if necessary. */
  hasPages?: boolean;
  roles?: string;
};

export type RunningService = {
  origin: string;
  pid: number;
  /** Stops the service, as a supervisor does, and waits for its end. */
  stop(): Promise<void>;
};

/**
 * Installs a service as an operator does, with default settings, except that limits are too high to
 * be reached and that receivers may be on loopback. The dashboard is served only on request.
 */
export async function installService(engine: Engine): Promise<InstalledService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = engine === 'postgresql' ? await createPostgresDatabase() : null;
  if (!server) await addMigratedDatabase(dataDir);
  const token = newToken();
  const environment: Environment = {
    ...reachesLoopback,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...(server && { DATABASE_URL: server.url }),
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    INIT_API_KEY: token,
    DASHBOARD_CREDENTIAL: newToken(),
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_ACCOUNT_PER_MINUTE: '10000000',
    RATE_LIMIT_CREATIONS_PER_HOUR: '1000',
  };
  return {
    environment,
    token,
    start: (options = {}) => start(environment, join(dataDir, 'service.log'), options),
    async remove() {
      await server?.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The environment variables that `npm start` sets, and the flags with which it runs Node. */
async function startCommand(): Promise<{ variables: Environment; flags: string[] }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('='));
  return {
    variables: Object.fromEntries(variables) as Environment,
    flags: words.filter((word) => word.startsWith('--')),
  };
}

/** The service logs to a file, as it does under a supervisor. */
async function start(
  environment: Environment,
  logPath: string,
  { hasPages = false, roles }: StartOptions,
): Promise<RunningService> {
  const log = openSync(logPath, 'w');
  const { variables, flags } = await startCommand();
  const args = [
    ...flags,
    ...preload('ends-with-parent.ts'),
    ...(hasPages ? [] : preload('without-pages.ts')),
    hasPages ? 'scripts/start.ts' : 'service/main.ts',
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      ...variables,
      ...environment,
      ...(roles !== undefined && { ROLES: roles }),
    },
  });
  closeSync(log);
  const ended = once(child, 'close');
  for (;;) {
    const said = await readFile(logPath, 'utf8');
    const port = /^Ready: .*, port (\d+)$/m.exec(said)?.[1];
    if (port !== undefined && child.pid !== undefined) {
      return {
        origin: `http://127.0.0.1:${port}`,
        pid: child.pid,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    }
    if (child.exitCode !== null) throw new Error(`The service ended before it was ready:\n${said}`);
    await pause(50);
  }
}
