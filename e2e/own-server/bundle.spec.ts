import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { createInstallation, signIn, whenHydrated } from 'conversation-service-playwright-kit';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

test.setTimeout(600_000);

test('a bundle has no sources, tests or packages of the build, and the kit starts it as it is', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  try {
    await run(process.execPath, ['scripts/bundle.ts', '--folder', folder], { cwd: root });
    const files = await readdir(folder, { recursive: true });
    expect(
      files.filter((file) => /\.test\.tsx?$|^app\/|^node_modules\/typescript\//.test(file)),
    ).toEqual([]);
    const installation = await createInstallation({ product: folder });
    const { owner } = await installation.addAccount('Acme Support');
    await page.goto(`${installation.origin}/sign-in`);
    await whenHydrated(page);
    await signIn(page, owner);
    await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
    await installation.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
