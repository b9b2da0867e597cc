/**
 * Where the same part of another account is: a list is, what belongs to one account alone is not.
 * `path` is the page's.
 */
export function accountArea(path: string): string {
  const area = /^\/settings\/[^/]+/.exec(path)?.[0];
  return area ?? '/settings/api-keys';
}
