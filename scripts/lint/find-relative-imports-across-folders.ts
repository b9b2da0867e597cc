import type { IModule } from 'dependency-cruiser';

/** Finds relative imports that leave their top-level folder, such as one of `lib/` in `app/`. */
export function findRelativeImportsAcrossFolders(
  modules: readonly IModule[],
): { from: string; to: string }[] {
  const inFolders = modules.filter(({ source }) => topFolderOf(source) !== null);
  return inFolders.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module, couldNotResolve }) => module.startsWith('.') && !couldNotResolve)
      .filter(({ resolved }) => topFolderOf(resolved) !== topFolderOf(source))
      .map(({ resolved }) => ({ from: source, to: resolved })),
  );
}

/** The top-level folder of a file; null for files in no folder. */
function topFolderOf(path: string): string | null {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : null;
}
