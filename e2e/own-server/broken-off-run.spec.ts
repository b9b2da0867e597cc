import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { isRemote } from '../fixtures.ts';

test.skip(isRemote, 'It starts a service of its own.');

const server = new URL('../helpers/servers/server.ts', import.meta.url).href;

test('a test run that is broken off leaves no service behind', async () => {
  test.slow();
  const run = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { startServer } = await import('${server}');
       const { origin } = await startServer({});
       console.log(origin);
       setInterval(() => undefined, 60_000);`,
    ],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [origin] = (await once(run.stdout, 'data')) as [Buffer];
  const health = new URL('/healthz', origin.toString().trim());
  expect((await fetch(health)).status).toBe(200);
  run.kill('SIGKILL');
  await expect
    .poll(
      () =>
        fetch(health).then(
          () => 'answers',
          () => 'is gone',
        ),
      { timeout: 30_000 },
    )
    .toBe('is gone');
});
