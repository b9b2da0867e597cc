import { withCauses, errorCode } from '../error-code.ts';

/** PostgreSQL's error codes for invalid values, broken constraints, rollbacks and limits. */
const refused = /^(22|23|40|54)...$/;

/**
 * Whether the database refused a statement because of the values it was to write, and wrote
 * nothing. After other failures, such as a lost connection, it is unknown whether something was
 * written.
 */
export function isRefusedStatement(error: unknown): boolean {
  return withCauses(error).some((cause) => refused.test(errorCode(cause) ?? ''));
}
