// `npm run demo`: the product with something in it, on a folder that is thrown away at the end.
// Everything in it is made through the public API; its webhooks go to a receiver on this machine.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newToken } from '#service/token.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { createClient } from './demo/client.ts';
import type { Client } from './demo/client.ts';
import { holdConversations, keepConversing } from './demo/converse.ts';
import { populate } from './demo/populate.ts';
import { startReceiver } from './demo/receiver.ts';
import { endWithNpm } from './end-with-npm.ts';

const person = { email: 'demo@example.com', password: 'a demo of everything' };
const root = fileURLToPath(new URL('..', import.meta.url));
const usualPort = 3000;

if ((await buildDashboardIfChanged()) !== 0) process.exit(1);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
endWithNpm();

const folder = await mkdtemp(join(tmpdir(), 'conversation-service-demo-'));
const receiver = await startReceiver();
const initialToken = newToken();
const service = startService(await usablePort());
const ended = once(service, 'exit').then(() => stopped.abort());

try {
  const origin = await whenReady();
  const token = await replaceInitialToken(createClient(origin, initialToken));
  const all = createClient(origin, token);
  await populate({ origin, token, receiver: receiver.origin });
  await holdConversations(all);
  announce(origin);
  await keepConversing(all, stopped.signal);
} catch (error) {
  if (!stopped.signal.aborted) throw error;
} finally {
  service.kill('SIGTERM');
  await ended;
  receiver.close();
  await rm(folder, { recursive: true, force: true });
}

function startService(port: number): ChildProcess {
  return spawn(process.execPath, ['service/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      PORT: String(port),
      DATA_DIR: folder,
      INIT_ADMIN_EMAIL: person.email,
      INIT_ADMIN_PASSWORD: person.password,
      INIT_ACCOUNT_NAME: 'Marlow & Finch',
      INIT_API_KEY: initialToken,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    },
  });
}

/** Rotates the token from the settings, as the dashboard advises at the first start. */
async function replaceInitialToken(call: Client): Promise<string> {
  const { uuid } = await call<{ uuid: string }>('GET', '/api-key');
  const { token } = await call<{ token: string }>('POST', `/api-keys/${uuid}/rotate`, {
    grace_period_seconds: 0,
  });
  return token;
}

/** Resolves with where it listens. What it prints later is read too, or it would have to wait. */
async function whenReady(): Promise<string> {
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

/** PORT or 3000 if it is free, else 0 for any port. */
async function usablePort(): Promise<number> {
  const asked = Number(process.env['PORT'] ?? usualPort);
  const probe = createServer().listen(asked, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return 0;
  probe.close();
  await once(probe, 'close');
  return asked;
}

function announce(origin: string): void {
  process.stdout.write(
    [
      '',
      `The demo is at ${origin}`,
      `  e-mail    ${person.email}`,
      `  password  ${person.password}`,
      '',
      'A new message arrives every few seconds. Press Ctrl-C to stop the demo and delete its data.',
      '',
      '',
    ].join('\n'),
  );
}
