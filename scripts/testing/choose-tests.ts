/** One run of a test runner, with the name of its report. */
export type TestRun = {
  name: string;
  runner: 'vitest' | 'playwright';
  /** The projects of Vitest, by their names in vitest.config.ts. */
  projects: string[];
  /** Run only these files; all files if it is empty. */
  files: string[];
};

const suites: Record<string, Pick<TestRun, 'runner' | 'projects'>> = {
  unit: { runner: 'vitest', projects: ['pure', 'api', 'durability'] },
  pure: { runner: 'vitest', projects: ['pure'] },
  api: { runner: 'vitest', projects: ['api'] },
  durability: { runner: 'vitest', projects: ['durability'] },
  servers: { runner: 'vitest', projects: ['postgres', 'redis'] },
  // In one run, because tests with servers wait for leases and heartbeats while others use the
  // processors.
  vitest: { runner: 'vitest', projects: ['pure', 'api', 'durability', 'postgres', 'redis'] },
  e2e: { runner: 'playwright', projects: [] },
};

/**
 * Chooses what `npm test` runs for these arguments: the named suites, or all that this machine can
 * run. Any other word selects the files with that word in their path.
 *
 * @param available `files`: every test file, relative to the project. `servers`: the projects of the
 *   suite `servers` that this machine can run; if that suite is named, all its projects run.
 * @throws for a word that no file has
 */
export function chooseTests(
  args: readonly string[],
  available: { files: readonly string[]; servers: readonly string[] },
): { runs: TestRun[]; isFull: boolean } {
  const isFull = args.includes('--full');
  const named = args.filter((argument) => argument !== '--full');
  const words = named.filter((name) => !Object.hasOwn(suites, name));
  const chosen = named.filter((name) => Object.hasOwn(suites, name));
  const isNamed = chosen.length > 0;
  if (!isNamed) chosen.push(available.servers.length > 0 ? 'vitest' : 'unit', 'e2e');

  const runs = chosen.flatMap((name): TestRun[] => {
    const { runner, projects: all } = suites[name] ?? { runner: 'vitest', projects: [] };
    const projects = all.filter((project) => isNamed || canRun(project, available.servers));
    const ofSuite = available.files.filter((file) => isOf({ runner, projects }, file));
    const files = ofSuite.filter((file) => words.some((word) => isAbout(file, word)));
    if (words.length > 0 && files.length === 0) return [];
    return [{ name, runner, projects, files }];
  });
  const missing = words.filter((word) => !runs.some(({ files }) => anyIsAbout(files, word)));
  if (missing.length > 0) {
    throw new Error(
      `No test file has "${missing.join('", "')}" in its name. The suites are ${Object.keys(suites).join(', ')}.`,
    );
  }
  return { runs, isFull };
}

function anyIsAbout(files: readonly string[], word: string): boolean {
  return files.some((file) => isAbout(file, word));
}

function isAbout(file: string, word: string): boolean {
  // The paths of all browser tests begin with "e2e".
  const where = word.includes('/') ? file : file.replace(/^e2e\//, '');
  return where.toLowerCase().includes(word.toLowerCase());
}

function canRun(project: string, servers: readonly string[]): boolean {
  return suites['servers']?.projects.includes(project) !== true || servers.includes(project);
}

function isOf({ runner, projects }: Pick<TestRun, 'runner' | 'projects'>, file: string): boolean {
  if (file.endsWith('.spec.ts')) return runner === 'playwright';
  return projects.includes(projectOf(file));
}

/** The projects of the suite `servers` that can run with the servers in these variables. */
export function serversOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (!environment['TEST_DATABASE_URL']) return [];
  return environment['TEST_REDIS_URL'] ? ['postgres', 'redis'] : ['postgres'];
}

/** The rule by which vitest.config.ts assigns test files to projects. */
export function projectOf(file: string): string {
  if (file.endsWith('.postgres.test.ts')) return 'postgres';
  if (file.endsWith('.redis.test.ts')) return 'redis';
  if (file.endsWith('.durability.test.ts')) return 'durability';
  return file.startsWith('service/') ? 'api' : 'pure';
}
