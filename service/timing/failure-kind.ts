/**
 * The kind of a failure, as the database driver reports it: the query builder's message repeats the
 * statement.
 */
export function failureKind(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}
