/**
 * Why a text cannot be a token; null if a header can carry it. Otherwise the error of `fetch` would
 * quote it, and perhaps in a log.
 */
export function tokenProblem(token: string): string | null {
  if (!/[^ -~]/.test(token.trim())) return null;
  return 'The token contains a line break or another character that no token has.';
}
