import { expect, test } from '@playwright/test';
import { untilGone, waysToHold } from '#service/testing/http/holding-clients.ts';
import { isFullRun, isRemote } from '../fixtures.ts';
import { hangUpOnPages } from '../support/hang-up.ts';
import { newToken, startServer } from '../support/server.ts';

test.skip(isRemote, 'stops the service');
test.setTimeout(isFullRun ? 600_000 : 180_000);

/** What the README promises, whatever clients do. */
const stopsWithinMs = 20_000;

test('clients that hang up end no process, and clients that hold on keep none from its stop', async () => {
  const token = newToken();
  const server = await startServer({
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: newToken(),
    INIT_API_KEY: token,
  });
  try {
    // Next attaches what it attaches at the first request for a page.
    const page = await fetch(`${server.origin}/sign-in`);
    expect(page.status).toBe(200);
    await page.text();

    const { hostname: host, port } = new URL(server.origin);
    await hangUpOnPages(server.origin, isFullRun ? 5000 : 60);
    // Asked last, so answered when those before it were worked on.
    expect((await fetch(`${server.origin}/sign-in`)).status).toBe(200);
    expect(server.exitCode()).toBe(null);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);

    const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
    const held = { host, port: Number(port), path: '/api/v1/conversations', headers };
    const clients = await Promise.all([
      ...Object.values(waysToHold).map((hold) => hold(held)),
      waysToHold['an upgraded socket']({ ...held, path: '/healthz' }),
      waysToHold['an upgraded socket']({ ...held, path: '/sign-in' }),
      waysToHold['answers it never reads']({ ...held, path: '/api/v1/openapi.json' }),
    ]);
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).toBeLessThan(stopsWithinMs);
    expect(server.exitCode()).toBe(0);
    await Promise.all(clients.map(untilGone));
  } finally {
    await server.destroy();
  }
});
