import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { respond, startReceiver } from '../testing/delivery/receiver.ts';
import { reachesLoopback } from '../testing/delivery/sender.ts';
import { DeliveryClient } from '../testing/durability/delivery-client.ts';
import { startService } from '../testing/processes/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { newToken } from '../tokens/token.ts';

test('a backup of a running service restores what it had then: sessions have ended, deliveries wait', async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const token = newToken();
  const usual = {
    ...reachesLoopback,
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: newToken(),
    INIT_API_KEY: token,
  };
  const start = async (dataDir: string) => {
    const started = await startService({ ...usual, DATA_DIR: dataDir });
    onTestFinished(() => started.kill());
    return started;
  };
  const first = join(folder, 'first');
  let service = await start(first);
  const call = async (method: string, path: string, bearer = token, body?: object) =>
    await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const client = new DeliveryClient(token);
  await client.addWebhooks(service.origin, receiver.origin, 1);
  receiver.respondWith(respond(503));
  await client.publish(service.origin);
  await receiver.received(1);
  const made = await call('POST', '/api-keys', token, { name: 'Nightly export', type: 'full' });
  const { data: leaked } = (await made.json()) as { data: { uuid: string; token: string } };

  const path = join(folder, 'night.backup');
  const backedUp = await runAdmin(['backup', path], { DATA_DIR: first });
  expect(backedUp.text).toMatch(/^Wrote \d+ rows/);
  expect((await call('DELETE', `/api-keys/${leaked.uuid}`)).status).toBe(204);
  expect((await call('GET', '/api-key', leaked.token)).status).toBe(401);
  // A service that runs has data.
  expect((await runAdmin(['restore', path], { DATA_DIR: first })).text).toContain('Stop it');
  await service.kill();

  const second = join(folder, 'second');
  mkdirSync(second, { mode: 0o700 });
  copyFileSync(join(first, 'secret-key'), join(second, 'secret-key'));
  const restored = await runAdmin(['restore', path], { DATA_DIR: second });
  expect(restored.text).toMatch(new RegExp(`Nightly export .*…${leaked.token.slice(-4)}`));
  expect(restored.text).toContain('Everyone has to sign in again.');

  receiver.respondWith(respond(204));
  const received = receiver.requests.length;
  service = await start(second);
  expect(service.output()).toContain('deliveries are on hold since a backup was restored');
  expect((await call('GET', '/api-key', leaked.token)).status).toBe(200);
  await client.publish(service.origin);
  expect(receiver.requests).toHaveLength(received);
  const resumed = await runAdmin(['resume-deliveries', 'skip'], { DATA_DIR: second });
  expect(resumed.text).toBe('Deliveries are sent again. 1 delivery was cancelled.');
  // Only what was published after the restore.
  await receiver.received(received + 1);
  await client.settled(service.origin);
  expect(receiver.requests).toHaveLength(received + 1);
  expect((await runAdmin(['resume-deliveries'], { DATA_DIR: second })).text).toBe(
    'Deliveries were not on hold.',
  );
});
