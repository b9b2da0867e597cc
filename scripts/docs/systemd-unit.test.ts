import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startCommand } from './tables.ts';

test('the unit for systemd starts the service as npm start does', () => {
  const unitFile = new URL('../../docs/operations/conversation-service.service', import.meta.url);
  const unit = readFileSync(unitFile, 'utf8').split('\n');
  const valuesOf = (name: string) =>
    unit.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const [, variables = '', command] = /^(.*) (node_modules.*)$/.exec(startCommand()) ?? [];
  expect(valuesOf('ExecStart')).toEqual([`/opt/conversation-service/${command}`]);
  // The unit cannot write to the folder of the code.
  const cache = 'NODE_COMPILE_CACHE=/var/cache/conversation-service';
  const expected = variables.split(' ').map((one) => (one.startsWith('NODE_') ? cache : one));
  expect(valuesOf('Environment')).toEqual(['DATA_DIR=/var/lib/conversation-service', ...expected]);
});
