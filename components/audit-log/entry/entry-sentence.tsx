import { describeAuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';

/** What was done to what: "rotated the key Billing sync". */
export function EntrySentence({ entry }: { entry: Pick<AuditEntry, 'action' | 'target'> }) {
  const { before, after } = describeAuditAction(entry.action);
  return (
    <>
      {before}
      {after !== null && <strong className="font-medium text-ink">{entry.target.name}</strong>}
      {after}
    </>
  );
}
