import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const separator = ' > ';

export type ListedTest = {
  /** Below the repository's root. */
  file: string;
  /** Its title after those of the groups it is in, as `group > test`. */
  name: string;
};

/**
 * The tests in these files, as their runners list them without running any.
 * @param files `*.spec.ts` are Playwright's, the others Vitest's
 */
export async function listTests(files: readonly string[]): Promise<ListedTest[]> {
  const isSpec = (file: string) => file.endsWith('.spec.ts');
  const lists = [
    listVitest(files.filter((file) => !isSpec(file))),
    listSpecs(files.filter(isSpec)),
  ];
  return (await Promise.all(lists)).flat();
}

/** Whether a test, or a group of tests, has these titles; outer groups may be left out. */
export function hasTitles({ name }: ListedTest, titles: readonly string[]): boolean {
  const wanted = ['', ...titles, ''].join(separator);
  return `${separator}${name}${separator}`.includes(wanted);
}

async function listVitest(files: readonly string[]): Promise<ListedTest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'listed-tests-'));
  const output = join(folder, 'tests.json');
  // Not parsed, but collected: many titles are filled in, or stand in another file.
  await run('vitest/vitest.mjs', ['list', '--no-static-parse', `--json=${output}`, ...files]);
  const listed = JSON.parse(await readFile(output, 'utf8')) as ListedTest[];
  await rm(folder, { recursive: true });
  return listed.map(({ file, name }) => ({ file: file.slice(root.length), name }));
}

type Suite = { title: string; file: string; specs: { title: string }[]; suites?: Suite[] };

async function listSpecs(files: readonly string[]): Promise<ListedTest[]> {
  const list = ['test', '--list', '--reporter=json', ...files];
  const { stdout } = await run('@playwright/test/cli.js', list);
  const { suites } = JSON.parse(stdout) as { suites: Suite[] };
  return suites.flatMap((suite) => testsIn(suite, []));
}

function testsIn({ file, specs, suites = [] }: Suite, groups: readonly string[]): ListedTest[] {
  return [
    ...specs.map(({ title }) => ({
      file: `e2e/${file}`,
      name: [...groups, title].join(separator),
    })),
    ...suites.flatMap((suite) => testsIn(suite, [...groups, suite.title])),
  ];
}

/** In an environment of its own: a runner that runs within another takes its settings for its own. */
async function run(program: string, args: readonly string[]): Promise<{ stdout: string }> {
  const { PATH, HOME, TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  return await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules', program), ...args],
    {
      cwd: root,
      env: { PATH, HOME, NODE_ENV: 'test', TEST_DATABASE_URL, TEST_REDIS_URL },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
}
