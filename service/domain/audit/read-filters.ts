import type { AuditLogFilters } from '#lib/contract/audit-log/audit-log.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { listRequestsAbout } from '../rotation-requests/list-requests-about.ts';
import type { AuditEntryFilter } from './store/filter-entries.ts';
import { isUuid } from '../resource-reference.ts';

/** The filters of a call, in the form of the store. */
export async function readFilters(
  db: Db,
  accountId: AccountId,
  filters: AuditLogFilters,
): Promise<AuditEntryFilter> {
  const { actor, action, target, since, until } = filters;
  return {
    actor: actor && inOneSpelling(actor),
    action,
    targets: target === undefined ? undefined : await readTargets(db, accountId, target),
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** A filter for a key or a webhook also matches entries about its requests. */
async function readTargets(db: Db, accountId: AccountId, target: string): Promise<string[]> {
  const id = inOneSpelling(target);
  return isUuid(id) ? [id, ...(await listRequestsAbout(db, accountId, id))] : [id];
}

/** UUIDs are stored in lower case; ids of people are as they are. */
function inOneSpelling(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}
