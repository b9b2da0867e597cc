/** The heading of the log, which takes the focus if the opener is gone. */
export const auditLogHeadingId = 'audit-log-entries';

export function entryOpenerId(id: number): string {
  return `audit-entry-${id}`;
}

/** The button that opens an entry; if it is no longer in the table, the table's heading. */
export function findEntryOpener(id: number | null): HTMLElement | null {
  return (
    document.getElementById(entryOpenerId(id ?? 0)) ?? document.getElementById(auditLogHeadingId)
  );
}
