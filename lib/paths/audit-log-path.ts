/** The page of an account's audit log. */
const auditLogPath = 'settings/audit-log';

/** The same with the entries of one actor, target or action. */
export function auditLogPathOf(
  filter: { actor: string } | { target: string } | { action: string },
) {
  return `${auditLogPath}?${new URLSearchParams(filter).toString()}`;
}
