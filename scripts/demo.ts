// `npm run demo`: starts the product with sample data in a temporary folder. All data is created
// through the public API; its webhooks send to a receiver on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { createClient } from './demo/client.ts';
import type { Client } from './demo/client.ts';
import { holdConversations, keepConversing } from './demo/converse.ts';
import { addLateWebhooks, populate } from './demo/populate.ts';
import { startReceiver } from './demo/receiver.ts';
import { endWithNpm } from './end-with-npm.ts';
import { startService } from './start-service.ts';

const defaultPort = 3000;

const buildStatus = await buildDashboardIfChanged();
if (buildStatus !== 0) process.exit(buildStatus);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
endWithNpm();

const receiver = await startReceiver();
const service = await startService({ PORT: String(await usablePort()) });
service.process.once('exit', () => stopped.abort());

try {
  const origin = await service.origin;
  const token = await replaceInitialToken(createClient(origin, service.token));
  const all = createClient(origin, token);
  await populate({ origin, token, receiver: receiver.origin });
  await holdConversations(all);
  await addLateWebhooks(all, receiver.origin);
  await openSupportDesk();
  announce(origin);
  await keepConversing(all, stopped.signal);
} catch (error) {
  if (!stopped.signal.aborted) throw error;
} finally {
  await service.stop();
  receiver.close();
}

/** Adds the person to installation support, as an operator does. */
async function openSupportDesk(): Promise<void> {
  const admin = spawn(process.execPath, ['scripts/admin.ts', 'add-support', service.person.email], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: service.dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(admin, 'exit');
}

/** Replaces the token from the settings, as the dashboard advises after the first start. */
async function replaceInitialToken(call: Client): Promise<string> {
  const { uuid } = await call<{ uuid: string }>('GET', '/api-key');
  const { token } = await call<{ token: string }>('POST', `/api-keys/${uuid}/rotate`, {
    grace_period_seconds: 0,
  });
  return token;
}

/** The port in PORT, or 3000, if it is free; otherwise 0, for any free port. */
async function usablePort(): Promise<number> {
  const asked = Number(process.env['PORT'] ?? defaultPort);
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
      `  email     ${service.person.email}`,
      `  password  ${service.person.password}`,
      `The support desk is at ${origin}/support`,
      '',
      'A new message arrives every few seconds. Press Ctrl-C to stop the demo and delete its data.',
      '',
      '',
    ].join('\n'),
  );
}
