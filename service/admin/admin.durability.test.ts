import { execFile, spawnSync } from 'node:child_process';
import { chown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { newToken } from '../tokens/token.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

/** The id of a user who owns no files. */
const nobody = 65_534;
const dataDir = useTemporaryFolder();
let service: ServiceProcess;
beforeAll(async () => {
  service = await startService({
    DATA_DIR: dataDir,
    INIT_ADMIN_EMAIL: 'ann@example.com',
    INIT_ADMIN_PASSWORD: newToken(),
    INIT_ACCOUNT_NAME: 'Marlow',
    RATE_LIMIT_PER_MINUT: '5',
  });
});
afterAll(() => service.kill());

async function admin(
  ...args: string[]
): Promise<{ code?: number; stdout: string; stderr: string }> {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    LOG_LEVL: 'warn',
  };
  const run = promisify(execFile)(process.execPath, ['scripts/admin.ts', ...args], { env });
  return await run.catch((error: unknown) => error as { stdout: string; stderr: string });
}

test('a misspelled setting is named in the log and next to the "Ready" line', () => {
  const sentence = 'RATE_LIMIT_PER_MINUT is not a setting. Did you mean RATE_LIMIT_PER_MINUTE?';
  const [log = '', announced = ''] = service.output().split(/^Ready: .*/m);
  expect(log).toContain(`"level":40`);
  expect(log).toContain(`"msg":"${sentence}"`);
  expect(announced).toContain(sentence);
  expect(announced).toContain(
    'Created account "Marlow". ann@example.com signs in with INIT_ADMIN_PASSWORD.',
  );
});

test('operator commands work while a service runs and after it has stopped', async () => {
  const added = await admin('add-member', 'Marlow', 'sam@example.com', 'support');
  expect(added.stdout).toMatch(/^Added sam@example\.com to account "Marlow" as support\./);
  expect(added.stderr).toBe('LOG_LEVL is not a setting. Did you mean LOG_LEVEL?\n');
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
  // Nothing responds at its PUBLIC_URL, which is in the report and not an error of the command.
  const checked = await admin('doctor');
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/^wrong +PUBLIC_URL/m)]);

  service.stop();
  expect(await service.ended()).toBe(0);
  const here = (...args: string[]) => runAdmin(args, { DATA_DIR: dataDir });
  const listed = await here('list-members', 'Marlow');
  expect(listed.text).toMatch(/^ann@example\.com +owner .*\nsam@example\.com +support /m);
});

test.runIf(mayActAsNobody())(
  'a command run as root creates no file that the user of the service cannot read',
  async () => {
    await service.kill();
    for (const file of ['', ...(await readdir(dataDir, { recursive: true }))]) {
      await chown(join(dataDir, file), nobody, nobody);
    }
    const added = await admin('add-member', 'Marlow', 'eve@example.com', 'viewer');
    expect(added.stdout).toContain('Added eve@example.com');
    const files = await readdir(dataDir, { recursive: true });
    const found = await Promise.all(files.map((file) => stat(join(dataDir, file))));
    expect(found.filter(({ uid }) => uid !== nobody)).toEqual([]);
  },
);

/** Whether this process is root and other users can read the checkout. */
function mayActAsNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const asNobody = { uid: nobody, gid: nobody };
  return spawnSync('cat', [import.meta.filename], { ...asNobody, stdio: 'ignore' }).status === 0;
}
