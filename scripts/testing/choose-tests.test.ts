import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import config from '#vitest.config.ts';
import { chooseTests, kindOf, serversOf } from './choose-tests.ts';

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

test('a suite runs alone, and "unit" means the three that need only this machine', () => {
  expect(choose(['unit'])).toEqual([
    {
      name: 'unit',
      runner: 'vitest',
      kinds: ['pure', 'api', 'durability'],
      files: files.filter((file) => !/postgres|spec|soak/.test(file)),
      isWhole: true,
    },
  ]);
  expect(namesOf(['pure', 'servers'])).toEqual(['pure', 'servers']);
  expect(choose(['vitest'])[0]?.files).toEqual(files.filter((file) => !/spec|soak/.test(file)));
});

test('the soak runs only when it is named', () => {
  expect(namesOf(['growth'])).toEqual(['unit']);
  expect(choose(['soak'])).toMatchObject([
    { name: 'soak', runner: 'vitest', files: ['service/tests/growth.soak.ts'] },
  ]);
});

test('a word runs the files with that word in their path, browser tests too', () => {
  expect(choose(['webhook'], both).map(({ name, files: chosen }) => [name, chosen])).toEqual([
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

test('a word after a suite runs the matching files of that suite', () => {
  expect(choose(['api', 'webhooks'])).toEqual([
    {
      name: 'api',
      runner: 'vitest',
      kinds: ['api'],
      files: ['service/domain/webhooks/rules.test.ts'],
      isWhole: false,
    },
  ]);
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

test('the name of a test file says of which kind it is', () => {
  expect(files.map(kindOf)).toEqual([
    'pure',
    'pure',
    'api',
    'api',
    'durability',
    'api',
    'soak',
    'postgres',
    'e2e',
    'e2e',
  ]);
  expect(kindOf('service/limiter/limiter.redis.test.ts')).toBe('redis');
});
