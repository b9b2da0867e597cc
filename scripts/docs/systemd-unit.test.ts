import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#service/testing/temporary-folder.ts';
import { startCommand } from './tables.ts';

const unitFile = new URL('../../docs/operations/conversation-service.service', import.meta.url);
const text = readFileSync(unitFile, 'utf8');

test('the unit for systemd starts the service as npm start does', () => {
  const unit = text.split('\n');
  const valuesOf = (name: string) =>
    unit.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const [, variables = '', command] = /^(.*) (node_modules.*)$/.exec(startCommand()) ?? [];
  expect(valuesOf('ExecStart')).toEqual([`/opt/conversation-service/${command}`]);
  // The unit cannot write to the folder of the code.
  const cache = 'NODE_COMPILE_CACHE=/var/cache/conversation-service';
  const expected = variables.split(' ').map((one) => (one.startsWith('NODE_') ? cache : one));
  expect(valuesOf('Environment')).toEqual(['DATA_DIR=/var/lib/conversation-service', ...expected]);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasSystemd)('systemd accepts the unit', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const file = join(temporaryFolder(), 'conversation-service.service');
  // A program that it starts must exist.
  writeFileSync(file, text.replaceAll('/opt/conversation-service/', root));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
