/** One call of a runner, and the name of its report. */
export type TestRun = {
  name: string;
  runner: 'vitest' | 'playwright';
  /** Vitest's projects, as vitest.config.ts names them. */
  projects: string[];
  /** Only these files; all if it is empty. */
  files: string[];
};

const suites: Record<string, Pick<TestRun, 'runner' | 'projects'>> = {
  unit: { runner: 'vitest', projects: ['pure', 'api', 'durability'] },
  pure: { runner: 'vitest', projects: ['pure'] },
  api: { runner: 'vitest', projects: ['api'] },
  durability: { runner: 'vitest', projects: ['durability'] },
  servers: { runner: 'vitest', projects: ['servers'] },
  // In one run: the tests of servers wait for leases and heartbeats while others use the processors.
  vitest: { runner: 'vitest', projects: ['pure', 'api', 'durability', 'servers'] },
  e2e: { runner: 'playwright', projects: [] },
};

/**
 * What `npm test` runs for these arguments: the suites they name, or all that this machine can. Any
 * other word stands for the files that have it in their path.
 *
 * @param about `files`: every test file, relative to the project. `hasServers`: whether there are
 * servers for the suites that need them.
 * @throws for a word that no file has
 */
export function chooseTests(
  args: readonly string[],
  about: { files: readonly string[]; hasServers: boolean },
): { runs: TestRun[]; isFull: boolean } {
  const isFull = args.includes('--full');
  const named = args.filter((argument) => argument !== '--full');
  const words = named.filter((name) => !Object.hasOwn(suites, name));
  const chosen = named.filter((name) => Object.hasOwn(suites, name));
  if (chosen.length === 0) chosen.push(about.hasServers ? 'vitest' : 'unit', 'e2e');

  const runs = chosen.flatMap((name): TestRun[] => {
    const { runner, projects } = suites[name] ?? { runner: 'vitest', projects: [] };
    const ofSuite = about.files.filter((file) => isOf(name, file));
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
  // Every browser test has "e2e" at the beginning of its path.
  const where = word.includes('/') ? file : file.replace(/^e2e\//, '');
  return where.toLowerCase().includes(word.toLowerCase());
}

function isOf(suite: string, file: string): boolean {
  const { runner, projects } = suites[suite] ?? { runner: 'vitest', projects: [] };
  if (file.endsWith('.spec.ts')) return runner === 'playwright';
  return projects.includes(projectOf(file));
}

/** The rule by which vitest.config.ts puts test files into projects. */
export function projectOf(file: string): string {
  if (/\.(postgres|redis)\.test\.ts$/.test(file)) return 'servers';
  if (file.endsWith('.durability.test.ts')) return 'durability';
  return file.startsWith('service/') ? 'api' : 'pure';
}
