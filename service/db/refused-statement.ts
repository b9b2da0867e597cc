/** Classes of PostgreSQL's codes for values, broken constraints, rollbacks and exceeded limits. */
const refused = /^(22|23|40|54)...$/;

/**
 * Whether the database refused a statement on account of what it was to write, and has written nothing
 * of it. Of other failures, such as a lost connection, that is not known.
 */
export function isRefusedStatement(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && refused.test(cause.code)) return true;
  }
  return false;
}
