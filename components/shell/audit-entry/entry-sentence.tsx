import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { type DescribedEntry, describeEntry } from './describe-entry.ts';

type EntrySentenceProps = { entry: DescribedEntry & Pick<AuditEntry, 'target'> };

/** What was done to what: "rotated the key Billing sync". */
export function EntrySentence({ entry }: EntrySentenceProps) {
  const { before, after } = describeEntry(entry);
  return (
    <>
      {before}
      {after !== null && <strong className="font-medium text-ink">{entry.target.name}</strong>}
      {after}
    </>
  );
}
