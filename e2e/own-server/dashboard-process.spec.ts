import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { newToken } from 'conversation-service-playwright-kit';
import { startServer } from '../helpers/servers/server.ts';

test.skip(process.platform !== 'linux', 'ends processes, which it finds in /proc');
// `keep-dashboard-running.test.ts` tests the same with a smaller process.
test.setTimeout(300_000);

test('the process that renders pages can end, and the API keeps working', async ({ page }) => {
  const token = newToken();
  const server = await startServer({
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: newToken(),
    INIT_API_KEY: token,
  });
  try {
    await page.goto(`${server.origin}/sign-in`);
    const [first] = renderersOf(server.pid());
    if (first === undefined) throw new Error('Pages are rendered by the service itself.');
    expect(readFileSync(`/proc/${first}/environ`, 'utf8')).not.toContain(token);

    process.kill(first, 'SIGKILL');
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${server.origin}/api/v1/api-key`, { headers })).status).toBe(200);
    // The page loads in the end, whether it is requested before or after the end of the process is
    // noticed.
    await expect(async () => {
      const response = await page.goto(`${server.origin}/sign-in`);
      expect(response?.status()).toBe(200);
    }).toPass();
    await expect(page.getByLabel('Email')).toBeVisible();

    const [second] = renderersOf(server.pid());
    expect(second).not.toBe(first);
    await server.kill();
    await expect.poll(() => isRunning(second)).toBe(false);
  } finally {
    await server.destroy();
  }
});

/** The child processes of the server. */
function renderersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

function isRunning(pid: number | undefined): boolean {
  try {
    // A process that has ended but was not reaped yet has no memory.
    return /^VmRSS/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
