import { existsSync, globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import config from '#vitest.config.ts';
import { chooseTests, serversOf } from './choose-tests.ts';
import { longest } from './longest-first.ts';

const files = [
  'components/webhooks/webhook-view.test.ts',
  'lib/time.test.ts',
  'service/domain/webhooks/rules.test.ts',
  'service/http/routes/api-keys/api-keys.test.ts',
  'service/tests/crash.durability.test.ts',
  'service/tests/growth.test.ts',
  'service/tests/growth.soak.ts',
  'service/domain/webhooks/secrets.postgres.test.ts',
  'e2e/webhooks/webhook-states.spec.ts',
  'e2e/every-page/keyboard.spec.ts',
];
const allButSoak = files.filter((file) => !file.endsWith('.soak.ts'));
const both = { TEST_DATABASE_URL: 'postgres://localhost', TEST_REDIS_URL: 'redis://localhost' };
const choose = (args: string[], environment: Record<string, string> = {}) =>
  chooseTests(args, { files, servers: serversOf(environment) });
const namesOf = (args: string[], environment = {}) =>
  choose(args, environment).map(({ name }) => name);

test('without a word everything runs, including the suites of available servers', () => {
  expect(namesOf([])).toEqual(['unit', 'e2e']);
  expect(namesOf([], both)).toEqual(['vitest', 'e2e']);
  const runs = choose([], both);
  expect(runs.flatMap((run) => run.files).toSorted()).toEqual(allButSoak.toSorted());
  expect(runs.map(({ isWhole }) => isWhole)).toEqual([true, true]);
});

test('without a word, suites whose server is not available are left out', () => {
  const kindsWith = (environment: Record<string, string>) => choose([], environment)[0]?.kinds;
  const alone = ['pure', 'api', 'durability'];
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = both;
  expect(kindsWith(both)).toEqual([...alone, 'postgres', 'redis']);
  expect(kindsWith({ TEST_DATABASE_URL })).toEqual([...alone, 'postgres']);
  // A test of two services that share a Redis needs a shared PostgreSQL too.
  expect(kindsWith({ TEST_REDIS_URL })).toEqual(alone);
  expect(choose(['servers'])[0]?.kinds).toEqual(['postgres', 'redis']);
});

test.each<[args: string[], runs: [name: string, files: number][]]>([
  [['unit'], [['unit', 6]]],
  [
    ['pure', 'servers'],
    [
      ['pure', 2],
      ['servers', 1],
    ],
  ],
  [['soak'], [['soak', 1]]],
  [['growth'], [['unit', 1]]],
  [
    ['webhook'],
    [
      ['unit', 2],
      ['e2e', 1],
    ],
  ],
  [['KEYBOARD'], [['e2e', 1]]],
  [['e2e/every-page'], [['e2e', 1]]],
  [['api', 'webhooks'], [['api', 1]]],
])('%j chooses suites and files', (args, runs) => {
  expect(choose(args).map((run) => [run.name, run.files.length])).toEqual(runs);
});

test('a word that matches no file is an error, instead of a successful run without tests', () => {
  expect(() => choose(['webhooks', 'teapot'])).toThrow('No test file has "teapot" in its name.');
  expect(() => choose(['--soak'])).toThrow('--soak');
  expect(() => choose(['pure', 'crash'])).toThrow('crash');
});

test('each test file is in exactly one project of vitest.config.ts', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const all = globSync('**/*.{test,soak}.ts', {
    cwd,
    exclude: ['**/node_modules/**', '**/.next/**'],
  });
  expect(all.length).toBeGreaterThan(150);
  const projects = (config.test?.projects ?? []) as {
    test: { name: string; include: string[]; exclude: string[] };
  }[];
  const isIn = (file: string, globs: string[]) => globs.some((glob) => matchesGlob(file, glob));
  for (const file of all) {
    const of = projects.filter(
      ({ test: { include, exclude } }) => isIn(file, include) && !isIn(file, exclude),
    );
    expect(of, file).toHaveLength(1);
  }
});

test('every file in the list of the longest exists', () => {
  expect(longest.filter((name) => !existsSync(name))).toEqual([]);
});
