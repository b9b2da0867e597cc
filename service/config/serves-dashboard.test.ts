import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newToken } from '../tokens/token.ts';
import { servesDashboard } from './serves-dashboard.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Processes with different roles need the same database and keys. */
const shared = {
  DATABASE_URL: 'postgres://host/database',
  SECRET_KEY: randomBytes(32).toString('base64'),
  DASHBOARD_CREDENTIAL: newToken(),
  API_BASE_URL: 'http://api.internal',
};

test('a start without settings needs a build of the dashboard', () => {
  expect(servesDashboard({})).toBe(true);
  expect(servesDashboard({ ROLES: '' })).toBe(true);
});

test('a start with ROLES needs it if one of them is web', () => {
  expect(servesDashboard({ ROLES: 'worker, web', ...shared })).toBe(true);
  expect(servesDashboard({ ROLES: 'api,worker', DATABASE_URL: shared.DATABASE_URL })).toBe(false);
});

test('roles that ROLES_FILE names count as well', () => {
  const path = join(temporaryFolder(), 'roles');
  writeFileSync(path, 'worker\n');
  expect(servesDashboard({ ROLES_FILE: path, ...shared })).toBe(false);
  writeFileSync(path, 'web\n');
  expect(servesDashboard({ ROLES_FILE: path, ...shared })).toBe(true);
});

test.each([
  { ROLES: 'everything' },
  { PORT: 'eighty' },
  { DATABASE_URL: shared.DATABASE_URL },
  { ROLES: 'web' },
])('a start with only %j builds nothing, because the service refuses that', (environment) => {
  expect(servesDashboard(environment)).toBe(false);
});
