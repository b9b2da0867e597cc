const MOST_PATHS = 6;

/** Puts a path first, and forgets the oldest ones. */
export function addRecentPath(paths: readonly string[], path: string): string[] {
  return [path, ...paths.filter((other) => other !== path)].slice(0, MOST_PATHS);
}
