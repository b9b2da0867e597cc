import { expect, test, vi } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { newToken } from '../tokens/token.ts';
import { printReady } from './print-ready.ts';

test.each([
  ['all roles', 'api,worker,web', 'Ready: https://keys.example.com (api, worker, web)'],
  ['the dashboard', 'web', 'Ready: https://keys.example.com (web)'],
  ['the API alone', 'api', 'Ready: http://127.0.0.1:3001 (api)'],
  ['a worker', 'worker', 'Ready: http://127.0.0.1:3001 (worker)'],
])('a process with %s names an address at which it responds', (_, roles, line) => {
  const config = loadConfig({
    ROLES: roles,
    PORT: '3001',
    PUBLIC_URL: 'https://keys.example.com',
    DATABASE_URL: 'postgres://db.example/app',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DASHBOARD_CREDENTIAL: newToken(),
    ...(roles === 'web' && { API_BASE_URL: 'http://localhost:3002' }),
  });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  printReady(config, { isPortChosen: false, misspelled: [], firstAccount: null });
  expect(write.mock.lastCall).toEqual([`\n${line}\n\n`]);
});
