import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '#service/config/environment.ts';
import { addMigratedDatabase } from '#service/testing/databases/migrated-data-folder.ts';
import { createPostgresDatabase } from '#service/testing/databases/postgres-database.ts';
import { reachesLoopback } from '#service/testing/delivery/sender.ts';
import { newToken } from '#service/tokens/token.ts';
import { nextMessage } from '../load/calls.ts';
import type { Engine } from '../measure.ts';
import type { Receiver } from './receiver.ts';

/** An installed service, with a database and an account, which is not started yet. */
export type InstalledService = {
  environment: Environment;
  /** The token of the account's first key, which has every scope. */
  token: string;
  start(options?: { hasPages?: boolean; roles?: string }): Promise<RunningService>;
  remove(): Promise<void>;
};

export type RunningService = { origin: string; pid: number; stop(): Promise<void> };

/**
 * Installs a service as an operator does, except that limits are too high to be reached and that
 * receivers may be on loopback. It serves the dashboard only on request.
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
    async start({ hasPages = false, roles } = {}) {
      const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
        scripts: { start: string };
      };
      // With the variables and flags of `npm start`.
      const words = scripts.start.split(' ');
      const preloads = ['ends-with-parent', ...(hasPages ? [] : ['without-pages'])];
      const command = [
        ...words.filter((word) => word.startsWith('--')),
        ...preloads.flatMap((name) => [
          '--import',
          `./service/testing/processes/preloads/${name}.ts`,
        ]),
        hasPages ? 'scripts/start.ts' : 'service/main.ts',
      ];
      const variables = words
        .filter((word) => /^[A-Z_]+=/.test(word))
        .map((word) => word.split('='));
      return await run(command, join(dataDir, 'service.log'), {
        PATH: process.env['PATH'],
        PORT: '0',
        ...(Object.fromEntries(variables) as Environment),
        ...environment,
        ...(roles !== undefined && { ROLES: roles }),
      });
    },
    async remove() {
      await server?.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The service logs to a file, as it does under a supervisor. */
async function run(args: string[], logPath: string, env: Environment): Promise<RunningService> {
  const log = openSync(logPath, 'w');
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...env, NODE_ENV: 'production' },
  });
  closeSync(log);
  const ended = once(child, 'close');
  for (;;) {
    const written = await readFile(logPath, 'utf8');
    const port = /^Ready: .*, port (\d+)$/m.exec(written)?.[1];
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
    if (child.exitCode !== null) throw new Error(`The service did not start:\n${written}`);
    await pause(50);
  }
}

/**
 * Creates keys, webhooks and conversations over the API. The first webhook receives messages at
 * `/messages`.
 */
export async function fillAccount(
  { origin, token }: { origin: string; token: string },
  of: { receiver: Receiver; keys: number; webhooks: number; conversations: number },
): Promise<{ tokens: string[]; conversationIds: number[] }> {
  const create = async (count: number, path: string, bodyOf: (number: number) => object) => {
    const made: Record<string, unknown>[] = [];
    for (let number = 1; number <= count; number += 1) {
      const response = await fetch(`${origin}/api/v1/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(bodyOf(number)),
      });
      if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
      made.push(((await response.json()) as { data: Record<string, unknown> }).data);
    }
    return made;
  };
  const keys = await create(of.keys, 'api-keys', (n) => ({ name: `Key ${n}`, type: 'full' }));
  await create(of.webhooks, 'webhooks', (n) => ({
    name: `Webhook ${n}`,
    url: `${of.receiver.origin}/${n === 1 ? 'messages' : `hook-${n}`}`,
    events: [n === 1 ? 'message.created' : 'conversation.closed'],
  }));
  const conversations = await create(of.conversations, 'conversations', (n) => ({
    subject: `Order ${n}`,
  }));
  return {
    tokens: keys.map((key) => String(key['token'])),
    conversationIds: conversations.map(({ id }) => Number(id)),
  };
}

/** Starts the yardstick of API calls in a separate process: HTTP alone, with a fixed response. */
export async function startBareServer(): Promise<{ origin: string; pid: number; stop(): void }> {
  const child = fork(new URL('./bare-server.ts', import.meta.url));
  const port = await nextMessage<number>(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () => void child.kill(),
  };
}
