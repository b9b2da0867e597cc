import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import config from '#vitest.config.ts';
import { chooseTests, projectOf, serversOf } from './choose-tests.ts';

const files = [
  'components/webhooks/webhook-view.test.ts',
  'lib/time.test.ts',
  'service/domain/webhooks/rules.test.ts',
  'service/http/routes/api-keys/api-keys.test.ts',
  'service/tests/crash.durability.test.ts',
  'service/domain/webhooks/secrets.postgres.test.ts',
  'e2e/webhooks/webhook-states.spec.ts',
  'e2e/every-page/keyboard.spec.ts',
];
const both = { TEST_DATABASE_URL: 'postgres://localhost', TEST_REDIS_URL: 'redis://localhost' };
const choose = (args: string[], environment: Record<string, string> = {}) =>
  chooseTests(args, { files, servers: serversOf(environment) });
const namesOf = (args: string[], environment = {}) =>
  choose(args, environment).runs.map(({ name }) => name);

test('without a word everything runs, with servers where there are some', () => {
  expect(namesOf([])).toEqual(['unit', 'e2e']);
  expect(namesOf([], both)).toEqual(['vitest', 'e2e']);
  expect(choose([]).runs.flatMap((run) => run.files)).toEqual([]);
});

test('without a word what needs a server that is not there is left out', () => {
  const projectsWith = (environment: Record<string, string>) =>
    choose([], environment).runs[0]?.projects;
  const alone = ['pure', 'api', 'durability'];
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = both;
  expect(projectsWith(both)).toEqual([...alone, 'postgres', 'redis']);
  expect(projectsWith({ TEST_DATABASE_URL })).toEqual([...alone, 'postgres']);
  // A test of two services that share a Redis has them share a PostgreSQL as well.
  expect(projectsWith({ TEST_REDIS_URL })).toEqual(alone);
  expect(choose(['servers']).runs[0]?.projects).toEqual(['postgres', 'redis']);
});

test('a suite runs alone, and "unit" is the three that need nothing but this machine', () => {
  expect(choose(['unit']).runs).toEqual([
    { name: 'unit', runner: 'vitest', projects: ['pure', 'api', 'durability'], files: [] },
  ]);
  expect(namesOf(['pure', 'servers'])).toEqual(['pure', 'servers']);
  expect(choose(['vitest']).runs[0]?.projects).toEqual([
    'pure',
    'api',
    'durability',
    'postgres',
    'redis',
  ]);
});

test('"--full" is the long form of whatever runs', () => {
  expect(choose([]).isFull).toBe(false);
  expect(choose(['unit', '--full'])).toMatchObject({ isFull: true, runs: [{ name: 'unit' }] });
});

test('a word runs the files that have it in their path, browser tests too', () => {
  expect(choose(['webhook'], both).runs.map(({ name, files: chosen }) => [name, chosen])).toEqual([
    [
      'vitest',
      [
        'components/webhooks/webhook-view.test.ts',
        'service/domain/webhooks/rules.test.ts',
        'service/domain/webhooks/secrets.postgres.test.ts',
      ],
    ],
    ['e2e', ['e2e/webhooks/webhook-states.spec.ts']],
  ]);
  expect(namesOf(['webhooks'])).toEqual(['unit', 'e2e']);
  expect(namesOf(['KEYBOARD'])).toEqual(['e2e']);
  expect(namesOf(['e2e/every-page'])).toEqual(['e2e']);
});

test('a word beside a suite runs what that suite has of it', () => {
  expect(choose(['api', 'webhooks']).runs).toEqual([
    {
      name: 'api',
      runner: 'vitest',
      projects: ['api'],
      files: ['service/domain/webhooks/rules.test.ts'],
    },
  ]);
});

test('a word that no file has is an error that says so, instead of a green run of nothing', () => {
  expect(() => choose(['webhooks', 'teapot'])).toThrow('No test file has "teapot" in its name.');
  expect(() => choose(['--fulll'])).toThrow('--fulll');
  expect(() => choose(['pure', 'crash'])).toThrow('crash');
});

test('each test file belongs to the one project that vitest.config.ts says', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const all = globSync('**/*.test.ts', { cwd, exclude: ['**/node_modules/**', '**/.next/**'] });
  expect(all.length).toBeGreaterThan(150);
  const projects = (config.test?.projects ?? []) as {
    test: { name: string; include: string[]; exclude: string[] };
  }[];
  const isIn = (file: string, globs: string[]) => globs.some((glob) => matchesGlob(file, glob));
  for (const file of all) {
    const of = projects.filter(
      ({ test: { include, exclude } }) => isIn(file, include) && !isIn(file, exclude),
    );
    expect(
      of.map((project) => project.test.name),
      file,
    ).toEqual([projectOf(file)]);
  }
});
