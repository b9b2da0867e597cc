import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { refuseBusyPage } from './refuse-busy-page.ts';

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(refuseBusyPage);
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a page with too many requests before it says so, and the browser reloads it', async () => {
  const response = await fetch(origin, { headers: { Accept: 'text/html' } });
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('2');
  expect(response.headers.get('Refresh')).toBe('2');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(await response.text()).toMatch(/^The dashboard is busy right now\./);
});

test('an action or a refetch with too many requests before it gets the error UNAVAILABLE', async () => {
  const response = await fetch(origin, { headers: { Accept: 'application/json' } });
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('2');
  expect(await response.json()).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
});
