const maxPaths = 6;
const storageKey = 'recent-paths';

/**
 * Remembers for this tab that a page was opened, and forgets the oldest ones. A path names an
 * account, a key or a webhook by its id, and never contains the text of a search.
 */
export function rememberPath(path: string): void {
  const paths = [path, ...recentPaths().filter((other) => other !== path)].slice(0, maxPaths);
  try {
    window.sessionStorage.setItem(storageKey, JSON.stringify(paths));
  } catch {
    // Storage is full or forbidden: the palette then lists nothing as recent.
  }
}

/** The pages that were opened in this tab, latest first. */
export function recentPaths(): string[] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}
