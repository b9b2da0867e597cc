import { afterEach, beforeEach, expect, test } from 'vitest';
import { newToken } from '../tokens/token.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';

const faultyPages = new URL('../testing/processes/preloads/faulty-pages.ts', import.meta.url);
let service: ServiceProcess;

beforeEach(async () => {
  const elsewhere = { API_BASE_URL: 'http://127.0.0.1:9', DASHBOARD_CREDENTIAL: newToken() };
  service = await startService({ ROLES: 'web', ...elsewhere }, faultyPages);
});
afterEach(() => service.kill());

const ask = (path: string) => fetch(`${service.origin}${path}`);

test('an uncaught error is logged, and the process completes open requests and exits with 1', async () => {
  const slow = await ask('/slow');
  await ask('/throw');
  expect(await slow.text()).toBe('slow');
  expect(await service.ended()).toBe(1);
  expect(service.output()).toMatch(/"level":60,.*"message":"thrown later"/);
});

test('an unhandled rejection stops the process, except one from page rendering', async () => {
  await ask('/reject');
  await expect.poll(() => service.output()).toMatch(/"level":50,.*"message":"rejected"/);
  expect((await ask('/healthz')).status).toBe(200);
  await ask('/reject-outside');
  expect(await service.ended()).toBe(1);
  expect(service.output()).toMatch(/"level":60,.*"message":"outside"/);
});
