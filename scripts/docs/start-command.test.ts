import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
const startCommand = scripts.start.replace(' node ', ' node_modules/.bin/node ');

test('the page about running the service has the command of npm start', () => {
  expect(read('docs/operations/running.md').split('\n')).toContain(startCommand);
});

test('the unit for systemd starts the service as npm start does', () => {
  const unit = read('docs/operations/conversation-service.service').split('\n');
  const valuesOf = (name: string) =>
    unit.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const [, variables = '', command] = /^(.*) (node_modules.*)$/.exec(startCommand) ?? [];
  expect(valuesOf('ExecStart')).toEqual([`/opt/conversation-service/${command}`]);
  // The unit cannot write to the folder of the code.
  const cache = 'NODE_COMPILE_CACHE=/var/cache/conversation-service';
  const expected = variables.split(' ').map((one) => (one.startsWith('NODE_') ? cache : one));
  expect(valuesOf('Environment')).toEqual(['DATA_DIR=/var/lib/conversation-service', ...expected]);
});

test('each command of e2e/README.md that runs one file or test finds it, and runs long forms', () => {
  const commands = [
    ...read('e2e/README.md').matchAll(/^(.*)npx playwright test (\S+)(?: "(.+)")?$/gm),
  ];
  const one = commands.filter(([, environment]) => !environment?.includes('E2E_BASE_URL'));
  expect(one).toHaveLength(2);
  const specs = globSync('e2e/**/*.spec.ts', { cwd: root });
  for (const [command, environment, word = '', title = ''] of one) {
    const found = specs.filter((path) =>
      (word === '-g' ? read(path) : path).includes(title || word),
    );
    expect(found, command).not.toEqual([]);
    expect(environment).toContain('TEST_FULL=1');
  }
});
