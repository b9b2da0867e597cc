type LockedPackage = {
  version?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

export type Lockfile = { packages: Record<string, LockedPackage> };

export type OptionalBinary = { parent: string; name: string; version: string };

/** The optional packages that locked packages name but the lockfile does not contain. */
export function findMissingBinaries(lockfile: Lockfile): OptionalBinary[] {
  return Object.entries(lockfile.packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => !isLocked(lockfile, { parent, name, version }))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/**
 * Adds an entry for every missing binary. If a registry serves a package, npm locks it for all
 * platforms by itself, with its integrity. The missing ones were not served, so only version and
 * platform are known. npm asks its own registry when one of those platforms installs.
 */
export function completeLockfile(lockfile: Lockfile): Lockfile {
  const packages = { ...lockfile.packages };
  for (const { parent, name, version } of findMissingBinaries(lockfile)) {
    const hoisted = `node_modules/${name}`;
    const taken = packages[hoisted] !== undefined && packages[hoisted].version !== version;
    const isDev = packages[parent]?.dev === true;
    packages[taken ? `${parent}/${hoisted}` : hoisted] = sortKeys({
      version,
      ...platformOf(name),
      ...(isDev ? { dev: true } : {}),
      optional: true,
    });
  }
  return { ...lockfile, packages: sortKeys(packages) };
}

/**
 * Finds the addresses in a lockfile, which tie it to the registry that was used to create it. A
 * link resolves to a folder of the repository, so it does not count.
 */
export function findAddresses(lockfile: Lockfile): string[] {
  return Object.entries(lockfile.packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([path]) => path);
}

function isLocked(lockfile: Lockfile, { parent, name, version }: OptionalBinary): boolean {
  for (let folder = parent; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const path = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`;
    const found = lockfile.packages[`${path}node_modules/${name}`];
    // A binary has the exact version of its package, so the same name at another version does not
    // count.
    if (found !== undefined) return !/^\d/.test(version) || found.version === version;
    if (folder === '') return false;
  }
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd'];
const otherSystems = ['openharmony', 'sunos', 'win32'];
const system = new RegExp(`(?:^|[-/])(${[...systems, ...otherSystems].join('|')})-([a-z0-9]+)`);

/** Reads `…-linux-x64-gnu` as the os, cpu and libc that the package itself declares. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  if (name.includes('wasm32')) return { cpu: ['wasm32'] };
  const [, os, cpu] = system.exec(name) ?? [];
  if (os === undefined || cpu === undefined) {
    throw new Error(`${name}: its name tells no platform; add its entry by hand`);
  }
  const libc = name.endsWith('-gnu') ? 'glibc' : name.endsWith('-musl') ? 'musl' : undefined;
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}

/** Sorts keys in npm's order, version first; the next install would rewrite any other. */
function sortKeys<T extends object>(record: T): T {
  const { version, ...rest } = record as T & { version?: string };
  const entries = Object.entries(rest).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return Object.fromEntries(
    version === undefined ? entries : [['version', version], ...entries],
  ) as T;
}
