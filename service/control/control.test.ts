import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { routes } from '#lib/contract/routes.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dataDir = useTemporaryFolder();
const preload = new URL('./preload.ts', import.meta.url).href;
const withoutPages = new URL('../testing/processes/preloads/without-pages.ts', import.meta.url)
  .href;

test('a service takes commands of tests only if it was started with them, and serves no route for them', async () => {
  expect(await sendCommand(await start([preload]))).toEqual({ id: 1 });
  expect(await sendCommand(await start([]))).toBeNull();
  expect(Object.values(routes).filter(({ path }) => path.includes('control'))).toEqual([]);
});

/** Starts the service with a channel to this process, and resolves when it is ready. */
async function start(preloads: string[]): Promise<ChildProcess> {
  await addMigratedDatabase(dataDir);
  const imports = [withoutPages, ...preloads].flatMap((url) => ['--import', url]);
  const service = spawn(process.execPath, [...imports, 'service/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir },
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of service.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('\nReady: ') || printed.startsWith('Ready: ')) return service;
  }
  throw new Error(printed);
}

/** The response to a command; null if the service stops without one. */
async function sendCommand(service: ChildProcess): Promise<unknown> {
  const ended = once(service, 'exit').then(() => null);
  const response = once(service, 'message').then(([message]) => message as unknown);
  service.send({ id: 1, command: 'moveClock', input: { ms: 1 } });
  if (!service.spawnargs.includes(preload)) service.kill('SIGTERM');
  const first = await Promise.race([response, ended]);
  service.kill('SIGKILL');
  await ended;
  return first;
}
