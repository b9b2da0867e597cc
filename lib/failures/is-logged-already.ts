/**
 * Whether an error says of itself that what happened is in the log already. Next prints every error
 * of a page with its stack; during an outage, that is one for each page that someone opens.
 */
export function isLoggedAlready(error: unknown): boolean {
  return error instanceof Error && 'isLogged' in error && error.isLogged === true;
}
