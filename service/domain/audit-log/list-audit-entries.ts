import type { z } from 'zod';
import type { AuditAction, AuditActionGroup } from '#lib/contract/audit-log/audit-actions.ts';
import type {
  AuditEntry,
  AuditLogFilters,
  listAuditEntries as listContract,
} from '#lib/contract/audit-log/audit-log.ts';
import type {
  listChangesOfKey as changesContract,
  RecordedChange,
} from '#lib/contract/audit-log/changes.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor, PersonActor } from '../actor.ts';
import { getApiKey } from '../api-keys/read-api-keys.ts';
import { listPeopleWithAccess } from '../people/members/read-members.ts';
import { readPage } from '../read-page.ts';
import { isUuid } from '../resource-reference.ts';
import { listRequestsAbout } from '../rotation-requests/read-requests.ts';
import { shownChanges } from '../shown-url.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import {
  auditEntriesOf,
  listAuditEntryRows,
  type AuditEntryFilter,
  type ListedRow,
} from './store.ts';

/**
 * A page of the account's audit entries that match the filters, newest first, or the entries since
 * the client last read them.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listAuditEntries(
  ctx: Context,
  actor: Actor,
  query: z.output<typeof listContract.query>,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null; followCursor?: string }> {
  const filter = await readFilters(ctx.db, actor.accountId, query);
  const { rows, ...cursors } = await readPage(
    ctx.db,
    { ...query, list: 'audit-entries', all: auditEntriesOf(actor.accountId) },
    (at, limit) => {
      const read = () => listAuditEntryRows(ctx.db, actor.accountId, { ...filter, at, limit });
      return mightReadMany(query) ? ctx.heavyReads.run(actor.accountId, read) : read();
    },
  );
  return { entries: rows.map((row) => describeAuditEntry(row, actor)), ...cursors };
}

/** Each filter has its index, but no index has two: many entries might be read for a page. */
function mightReadMany({
  actor,
  action,
  target,
}: Pick<z.output<typeof listContract.query>, 'actor' | 'action' | 'target'>): boolean {
  return [actor, action, target].filter((given) => given !== undefined).length > 1;
}

/** The people who left the actor's account, or were removed from it, and cannot open it now. */
export async function listFormerMembers(
  ctx: Context,
  { accountId }: PersonActor,
): Promise<{ id: string; name: string }[]> {
  const staying = await listPeopleWithAccess(ctx.db, accountId);
  const entriesOf = async (action: AuditAction) =>
    await listAuditEntryRows(ctx.db, accountId, { action, at: { before: null }, limit: 100 });
  const entries = [...(await entriesOf('member.removed')), ...(await entriesOf('member.left'))];
  const left = new Map(entries.map(({ target: { id, name } }) => [id, { id, name }]));
  return [...left.values()]
    .filter(({ id }) => !staying.has(id))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

type Page = z.output<typeof changesContract.query>;
type ListedChanges = { changes: RecordedChange[]; nextCursor: string | null };

/** A page of what was changed about a key, newest first. @throws ServiceError NOT_FOUND */
export async function listChangesOfKey(
  ctx: Context,
  actor: PersonActor,
  { apiKey, ...page }: Page & { apiKey: string },
): Promise<ListedChanges> {
  return await listChangesOf(ctx, actor, { ...(await getApiKey(ctx, actor, { apiKey })), page });
}

/** A page of what was changed about a webhook, newest first. @throws ServiceError NOT_FOUND */
export async function listChangesOfWebhook(
  ctx: Context,
  actor: PersonActor,
  { webhook, ...page }: Page & { webhook: string },
): Promise<ListedChanges> {
  return await listChangesOf(ctx, actor, { ...(await findWebhook(ctx, actor, { webhook })), page });
}

/** The actions that change a key or webhook; a search at the support desk does not. */
const groups: readonly AuditActionGroup[] = ['api_key', 'rotation_request', 'webhook'];

/**
 * The changes are for people who may not read the audit log, so they have no addresses. Entries that
 * the service did not write are left out: the audit log marks them, for those who can look into it.
 */
async function listChangesOf(
  ctx: Context,
  actor: PersonActor,
  { uuid, page }: { uuid: string; page: Page },
): Promise<ListedChanges> {
  const { accountId } = actor;
  const filter = await readFilters(ctx.db, accountId, { target: uuid });
  const of = { ...page, list: 'changes', all: auditEntriesOf(accountId) } as const;
  const { rows, nextCursor } = await readPage(ctx.db, of, (at, limit) =>
    listAuditEntryRows(ctx.db, accountId, { ...filter, groups, at, limit }),
  );
  const written = rows.filter(({ isOutsideChain }) => !isOutsideChain);
  const changes = written.map((row) => {
    const { id, at, actor: by, action, target, changes: values } = describeAuditEntry(row, actor);
    return { id, at, actor: by, action, target, changes: values };
  });
  return { changes, nextCursor };
}

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
