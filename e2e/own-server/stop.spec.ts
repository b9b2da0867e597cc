import { test as base, expect } from '@playwright/test';
import { untilGone, waysToHold } from '#service/testing/http/holding-clients.ts';
import { isRemote } from '../fixtures.ts';
import { hangUpOnPages } from '../helpers/hang-up.ts';
import { newToken, startServer } from '../helpers/servers/server.ts';

type OwnServer = Awaited<ReturnType<typeof startServer>>;

/** A server of its own, whose key has this token and from which a page was requested. */
const test = base.extend<{ token: string; server: OwnServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from this pattern
  token: async ({}, use) => await use(newToken()),
  server: async ({ token }, use) => {
    const server = await startServer({
      INIT_ADMIN_EMAIL: 'ida@example.com',
      INIT_ADMIN_PASSWORD: newToken(),
      INIT_API_KEY: token,
    });
    // Next attaches its handlers at the first request for a page.
    expect(await statusOf(server, '/sign-in')).toBe(200);
    await use(server);
    await server.destroy();
  },
});
test.skip(isRemote, 'stops the service');
test.setTimeout(600_000);

/** What docs/operations/running.md promises, whatever clients do. */
const stopsWithinMs = 20_000;

// The operator's journey has a short form of it.
test('clients that hang up end no process', async ({ server }) => {
  await hangUpOnPages(server.origin, 5000);
  // Sent last, so these get a response only after the requests before them were handled.
  expect(await statusOf(server, '/sign-in')).toBe(200);
  expect(server.exitCode()).toBe(null);
  expect(await statusOf(server, '/readyz')).toBe(200);
});

// `service/http/listener/listener-stop.test.ts` tests each of them without pages, in less time.
test('clients that hold on keep no process from its stop', async ({ server, token }) => {
  const { hostname: host, port } = new URL(server.origin);
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  const held = { host, port: Number(port), path: '/api/v1/conversations', headers };
  const clients = await Promise.all([
    ...Object.values(waysToHold).map((hold) => hold(held)),
    waysToHold['an upgraded socket']({ ...held, path: '/healthz' }),
    waysToHold['an upgraded socket']({ ...held, path: '/sign-in' }),
    waysToHold['responses it never reads']({ ...held, path: '/api/v1/openapi.json' }),
  ]);
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeLessThan(stopsWithinMs);
  expect(server.exitCode()).toBe(0);
  await Promise.all(clients.map(untilGone));
});

async function statusOf(server: OwnServer, path: string): Promise<number> {
  const response = await fetch(`${server.origin}${path}`);
  await response.text();
  return response.status;
}
