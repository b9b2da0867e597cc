import type { z } from 'zod';
import type { AuditActionGroup } from '#lib/contract/audit-log/audit-actions.ts';
import type {
  listChangesOfKey as contract,
  RecordedChange,
} from '#lib/contract/audit-log/changes.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { getApiKey } from '../api-keys/reading/get-api-key.ts';
import { readPage } from '../read-page.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { describeAuditEntry } from './describe-audit-entry.ts';
import { readFilters } from './read-filters.ts';
import { listAuditEntryRows } from './store/entries.ts';

type Page = z.output<typeof contract.query>;
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
  const { rows, nextCursor } = await readPage(ctx.db, { ...page, list: 'changes' }, (at, limit) =>
    listAuditEntryRows(ctx.db, accountId, { ...filter, groups, at, limit }),
  );
  const written = rows.filter(({ isOutsideChain }) => !isOutsideChain);
  const changes = written.map((row) => {
    const { id, at, actor: by, action, target, changes: values } = describeAuditEntry(row, actor);
    return { id, at, actor: by, action, target, changes: values };
  });
  return { changes, nextCursor };
}
