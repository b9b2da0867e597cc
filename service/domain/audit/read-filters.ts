import type { AuditLogFilters } from '#lib/contract/audit-log.ts';
import type { AuditEntryFilter } from './store/filter-entries.ts';

/** The filters of a call, as the store understands them. */
export function readFilters(filters: AuditLogFilters): AuditEntryFilter {
  const { actor, action, target, since, until } = filters;
  return {
    actor: actor && inOneSpelling(actor),
    action,
    target: target && inOneSpelling(target),
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** UUIDs are stored in lower case; ids of people are as they are. */
function inOneSpelling(id: string): string {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;
}
