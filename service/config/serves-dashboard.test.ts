import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { servesDashboard } from './serves-dashboard.ts';

test.each([
  [{}, true],
  [{ ROLES: '' }, true],
  [{ ROLES: 'api, web' }, true],
  [{ ROLES: 'api,worker' }, false],
  [{ ROLES: 'everything' }, false],
])('a start with %j needs a build of the dashboard: %s', (environment, isNeeded) => {
  expect(servesDashboard(environment)).toBe(isNeeded);
});

test('roles that ROLES_FILE names count as well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roles-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'roles');
  writeFileSync(path, 'api\n');
  expect(servesDashboard({ ROLES_FILE: path })).toBe(false);
  writeFileSync(path, 'web\n');
  expect(servesDashboard({ ROLES_FILE: path })).toBe(true);
});
