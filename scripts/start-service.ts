import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCacheFolder } from '#service/boot/compile-cache-folder.ts';
import { newToken } from '#service/tokens/token.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const person = { email: 'demo@example.com', password: 'a demo of everything' };

/** The product as an operator starts it, in a temporary folder that is removed when it ends. */
export type StartedService = {
  process: ChildProcess;
  /** Resolves with the address on which it listens; rejects if it ends before. */
  origin: Promise<string>;
  /** Its data folder, for `npm run admin`. */
  dataDir: string;
  /** The first owner. */
  person: typeof person;
  /** The token of the first API key, which has every scope. */
  token: string;
  /** Stops the service, waits for its end and removes its data. */
  stop(): Promise<void>;
};

/**
 * Starts the service with the Node flags of this process, which package.json sets.
 *
 * @param settings further settings; those for a first account, and for webhooks to this machine,
 *   are set anyway
 */
export async function startService(settings: Record<string, string>): Promise<StartedService> {
  const folder = await mkdtemp(join(tmpdir(), 'conversation-service-'));
  const token = newToken();
  const service = spawn(process.execPath, [...process.execArgv, 'service/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCacheFolder,
      LOG_LEVEL: 'error',
      DATA_DIR: folder,
      INIT_ADMIN_EMAIL: person.email,
      INIT_ADMIN_PASSWORD: person.password,
      INIT_ACCOUNT_NAME: 'Marlow & Finch',
      INIT_API_KEY: token,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      ...settings,
    },
  });
  const ended = once(service, 'exit');
  return {
    process: service,
    dataDir: folder,
    origin: whenReady(service),
    person,
    token,
    async stop() {
      service.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Also reads later output, because a process whose output nobody reads would block. */
async function whenReady(service: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  service.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const [, origin] = /^Ready: (\S+) .*\n/m.exec(printed) ?? [];
    if (origin !== undefined) resolve(origin);
  });
  service.once('exit', () => reject(new Error('The service ended before it was ready.')));
  return await promise;
}
