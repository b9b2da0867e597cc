import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Actor } from '../actor.ts';
import { shownChanges } from '../shown-url.ts';
import type { ListedRow } from './store/entry-row.ts';

/** An entry as the API returns it to an actor. */
export function describeAuditEntry(row: ListedRow, reader: Actor): AuditEntry {
  return {
    id: row.id,
    at: formatApiTime(row.at),
    actor: row.actor,
    action: row.action,
    target: row.target,
    changes: shownChanges(reader, row),
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
    is_chained: !row.isOutsideChain,
  };
}
