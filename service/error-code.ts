/** An error's code: Node's `ENOENT`, PostgreSQL's `23505` (see `sqlstate.ts`); null: none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * The error, its cause, the cause of that, and so on. The query builder, for example, throws an
 * error of its own whose cause is that of the driver.
 */
export function* withCauses(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}
