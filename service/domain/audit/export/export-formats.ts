import type { AuditEntry, ExportFormat } from '#lib/contract/audit-log/audit-log.ts';
import { csvLine } from './csv.ts';

type Format = {
  /** The text before the first entry. */
  head: string;
  line: (entry: AuditEntry) => string;
};

/** The columns of a CSV file, with the value of each for an entry. */
const columns: Readonly<Record<string, (entry: AuditEntry) => string | null>> = {
  id: ({ id }) => String(id),
  at: ({ at }) => at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  action: ({ action }) => action,
  target_kind: ({ target }) => target.kind,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  changes: ({ changes }) => changes && JSON.stringify(changes),
  ip: ({ ip }) => ip,
  user_agent: ({ user_agent }) => user_agent,
  request_id: ({ request_id }) => request_id,
  is_chained: ({ is_chained }) => String(is_chained),
};

const cellsOf = Object.values(columns);

/** How entries are written in each format of an export. */
export const exportFormats: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    // Excel reads a file without a byte order mark as Windows-1252.
    head: `\ufeff${csvLine(Object.keys(columns))}`,
    line: (entry) => csvLine(cellsOf.map((cellOf) => cellOf(entry))),
  },
  jsonl: { head: '', line: (entry) => `${JSON.stringify(entry)}\n` },
};
