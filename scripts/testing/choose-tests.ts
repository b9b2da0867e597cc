/** One run of a test runner, with the name of its report. */
export type TestRun = {
  name: string;
  runner: 'vitest' | 'playwright';
  kinds: TestKind[];
  /** Relative to the project. */
  files: string[];
  /** Whether these are all files of these kinds. */
  isWhole: boolean;
};

/** What a test file needs (docs/testing.md). Its name says of which kind it is: see `kindOf`. */
export type TestKind = 'pure' | 'api' | 'durability' | 'postgres' | 'redis' | 'soak' | 'e2e';

const needServers: readonly TestKind[] = ['postgres', 'redis'];

const suites: Record<string, Pick<TestRun, 'runner' | 'kinds'>> = {
  unit: { runner: 'vitest', kinds: ['pure', 'api', 'durability'] },
  pure: { runner: 'vitest', kinds: ['pure'] },
  api: { runner: 'vitest', kinds: ['api'] },
  durability: { runner: 'vitest', kinds: ['durability'] },
  servers: { runner: 'vitest', kinds: ['postgres', 'redis'] },
  // In one run, because tests with servers wait for leases and heartbeats while others use the
  // processors.
  vitest: { runner: 'vitest', kinds: ['pure', 'api', 'durability', 'postgres', 'redis'] },
  soak: { runner: 'vitest', kinds: ['soak'] },
  e2e: { runner: 'playwright', kinds: ['e2e'] },
};

/**
 * Chooses what `npm test` runs for these arguments: the named suites, or all that this machine can
 * run. Any other word selects the files with that word in their path.
 *
 * @param available `files`: every test file, relative to the project. `servers`: the kinds of the
 *   suite `servers` that this machine can run; if that suite is named, all its kinds run.
 * @throws for a word that no file has
 */
export function chooseTests(
  args: readonly string[],
  available: { files: readonly string[]; servers: readonly TestKind[] },
): TestRun[] {
  const words = args.filter((name) => !Object.hasOwn(suites, name));
  const chosen = args.filter((name) => Object.hasOwn(suites, name));
  const isNamed = chosen.length > 0;
  if (!isNamed) chosen.push(available.servers.length > 0 ? 'vitest' : 'unit', 'e2e');

  const runs = chosen.flatMap((name): TestRun[] => {
    const { runner, kinds: all } = suites[name] ?? { runner: 'vitest', kinds: [] };
    const kinds = all.filter((kind) => isNamed || canRun(kind, available.servers));
    const isWhole = words.length === 0;
    const files = available.files.filter(
      (file) =>
        kinds.includes(kindOf(file)) && (isWhole || words.some((word) => isAbout(file, word))),
    );
    // Without the name of a file, a runner would run all.
    return files.length === 0 ? [] : [{ name, runner, kinds, files, isWhole }];
  });
  const missing = words.filter((word) => !runs.some(({ files }) => anyIsAbout(files, word)));
  if (missing.length > 0) {
    throw new Error(
      `No test file has "${missing.join('", "')}" in its name. The suites are ${Object.keys(suites).join(', ')}.`,
    );
  }
  return runs;
}

function anyIsAbout(files: readonly string[], word: string): boolean {
  return files.some((file) => isAbout(file, word));
}

function isAbout(file: string, word: string): boolean {
  // The paths of all browser tests begin with "e2e".
  const where = word.includes('/') ? file : file.replace(/^e2e\//, '');
  return where.toLowerCase().includes(word.toLowerCase());
}

function canRun(kind: TestKind, servers: readonly TestKind[]): boolean {
  return !needServers.includes(kind) || servers.includes(kind);
}

/** The kinds of the suite `servers` that can run with the servers in these variables. */
export function serversOf(environment: Readonly<Record<string, string | undefined>>): TestKind[] {
  if (!environment['TEST_DATABASE_URL']) return [];
  return environment['TEST_REDIS_URL'] ? ['postgres', 'redis'] : ['postgres'];
}

/** @param file relative to the project */
export function kindOf(file: string): TestKind {
  if (file.endsWith('.spec.ts')) return 'e2e';
  if (file.endsWith('.soak.ts')) return 'soak';
  if (file.endsWith('.postgres.test.ts')) return 'postgres';
  if (file.endsWith('.redis.test.ts')) return 'redis';
  if (file.endsWith('.durability.test.ts')) return 'durability';
  return file.startsWith('service/') ? 'api' : 'pure';
}
