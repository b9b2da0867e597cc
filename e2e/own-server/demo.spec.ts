import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { signIn } from 'conversation-service-playwright-kit';

test('the demo shows a product in use, and leaves nothing behind', async ({ page }) => {
  test.slow();
  // Not the folder of the machine, in which other demos begin and end.
  const temporary = await mkdtemp(join(tmpdir(), 'demo-'));
  const demo = spawn(process.execPath, ['scripts/demo.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: '0', TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = once(demo, 'exit');
  try {
    await expect.poll(() => printed, { timeout: 240_000 }).toContain('The demo is at');
    const [, origin = '', email = '', password = ''] =
      /at (\S+)\s+email\s+(\S+)\s+password\s+(.+)/.exec(printed) ?? [];

    await page.goto(`${origin}/settings/api-keys`);
    await signIn(page, { email, password });
    for (const name of ['Production backend', 'Weekly report', 'Event relay', 'Reply bot']) {
      await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
    }
    await expect(page.getByRole('row', { name: /Nightly import/ })).toContainText('Paused');
    await page.goto(`${origin}/settings/webhooks`);
    // Both webhooks are sent the first messages: one accepts them, the other never does.
    const told = page.getByRole('row', { name: /Order notifier/ });
    const failing = page.getByRole('row', { name: /Old CRM/ });
    await expect(async () => {
      await page.reload();
      await expect(told).toContainText(/Just now|ago/, { timeout: 1000 });
      await expect(failing).toContainText('Failing', { timeout: 1000 });
    }).toPass({ timeout: 20_000 });
    await expect(told).toContainText('Active');
    await expect(told).not.toContainText('Failing');
    await expect(page.getByRole('row', { name: /Staging copy/ })).toContainText('Paused');
    await page.goto(`${origin}/support`);
    await expect(page.getByRole('link', { name: 'Webhook Old CRM is failing' })).toBeVisible();
  } finally {
    demo.kill('SIGINT');
    await ended;
  }
  expect(demo.exitCode).toBe(0);
  expect(await readdir(temporary)).toEqual([]);
  await rm(temporary, { recursive: true });
});
