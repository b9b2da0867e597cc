import type { IModule } from 'dependency-cruiser';

type ForbiddenPath = { from: string; to: string };

/**
 * Finds modules of `from` that import a module of `to`, directly or through others, and returns one
 * path for each: `to` is the modules in between and the one that is reached. The `reachable` rules
 * of dependency-cruiser find the same, but they search the whole graph again for each pair of
 * modules, which is slow.
 */
export function findForbiddenPaths(
  modules: readonly IModule[],
  { from, to }: { from: RegExp; to: RegExp },
): ForbiddenPath[] {
  const importersOf = new Map<string, string[]>();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const importers = importersOf.get(resolved);
      if (importers) importers.push(source);
      else importersOf.set(resolved, [source]);
    }
  }
  // Walks from the forbidden modules to their importers, and to theirs, so each path is the shortest.
  const next = new Map<string, string | null>();
  const waiting = modules.map(({ source }) => source).filter((source) => to.test(source));
  for (const target of waiting) next.set(target, null);
  for (const reached of waiting) {
    for (const importer of importersOf.get(reached) ?? []) {
      if (next.has(importer)) continue;
      next.set(importer, reached);
      waiting.push(importer);
    }
  }
  return modules
    .map(({ source }) => source)
    .filter((source) => from.test(source) && next.has(source))
    .map((source) => ({ from: source, to: pathFrom(source, next).join(' → ') }));
}

function pathFrom(source: string, next: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let module = next.get(source); typeof module === 'string'; module = next.get(module)) {
    path.push(module);
  }
  return path;
}
