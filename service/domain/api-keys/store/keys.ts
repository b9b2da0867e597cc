import { and, asc, count, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;
type NewApiKeyRow = typeof apiKeys.$inferInsert;

export async function findApiKeyId(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<number | null> {
  const [row] = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isReferred(accountId, reference));
  return row?.id ?? null;
}

export async function findApiKeyType(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<KeyType | null> {
  const [row] = await db
    .select({ type: apiKeys.type })
    .from(apiKeys)
    .where(isReferred(accountId, reference));
  return row?.type ?? null;
}

function isReferred(accountId: AccountId, reference: ResourceReference) {
  return and(
    eq(apiKeys.accountId, accountId),
    reference.kind === 'id' ? eq(apiKeys.id, reference.id) : eq(apiKeys.uuid, reference.uuid),
  );
}

/** Locks these keys until the transaction ends, in id order: two callers cannot deadlock. */
export async function lockApiKeys(
  tx: Tx,
  accountId: AccountId,
  ids: readonly number[],
): Promise<ApiKeyRow[]> {
  return await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])))
    .orderBy(asc(apiKeys.id))
    .for('update');
}

/** The key, which nobody can change until the transaction ends. Many can hold this lock. */
export async function lockApiKeyForShare(
  tx: Tx,
  accountId: AccountId,
  id: number,
): Promise<ApiKeyRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(columnsEqual(apiKeys, { accountId, id }))
    .for('share');
  return row ?? null;
}

/** How many keys of an account are neither revoked nor expired, for each type and list of scopes. */
export async function countActiveApiKeysByScopes(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<(Pick<ApiKeyRow, 'type' | 'scopes'> & { count: number })[]> {
  const { type, scopes } = apiKeys;
  return await db
    .select({ type, scopes, count: count() })
    .from(apiKeys)
    .where(isActiveIn(accountId, now))
    .groupBy(type, scopes)
    .orderBy(type, scopes);
}

function isActiveIn(accountId: AccountId, now: Date) {
  return and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
}

export async function insertApiKey(tx: Tx, row: NewApiKeyRow): Promise<ApiKeyRow> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning();
  if (!inserted) throw new Error('an inserted API key was not returned');
  return inserted;
}

export async function updateApiKeyRow(
  tx: Tx,
  key: ApiKeyRow,
  change: Partial<NewApiKeyRow>,
): Promise<ApiKeyRow> {
  const [updated] = await tx
    .update(apiKeys)
    .set(change)
    .where(columnsEqual(apiKeys, { accountId: key.accountId, id: key.id }))
    .returning();
  if (!updated) throw new Error('a locked API key was not found');
  return updated;
}

/** The channel on which a changed key's id is announced to every process. */
export const apiKeyChangedChannel = 'api_key_changed';

/** Notifies every process, when the transaction commits, that a key changed. */
export async function announceApiKeyChange(tx: Tx, apiKeyId: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${apiKeyChangedChannel}, ${String(apiKeyId)})`);
}

/** Locks the keys of an account that are not revoked, in id order, and announces their change. */
export async function lockAndAnnounceUnrevokedKeys(tx: Tx, accountId: AccountId): Promise<void> {
  const isUnrevoked = and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
  const { id } = apiKeys;
  await tx.select({ id }).from(apiKeys).where(isUnrevoked).orderBy(asc(id)).for('update');
  // A separate statement, so that it sees a key that a transaction just created for which the first
  // one waited.
  const announced = sql`pg_notify(${apiKeyChangedChannel}, ${id}::text)`;
  await tx.select({ announced }).from(apiKeys).where(isUnrevoked);
}

/** Ids of an account's keys of which a leak is reported at `now`. */
export async function listReportedKeyIds(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .select({ id: rotationRequests.apiKeyId })
    .from(rotationRequests)
    .where(
      and(
        columnsEqual(rotationRequests, { accountId, state: 'open', reason: 'leaked' }),
        gt(rotationRequests.expiresAt, now),
      ),
    );
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** When leaks of keys of an account were reported, unless it was declined or taken back. */
export async function listLeakReports(
  db: Db | Tx,
  accountId: AccountId,
  keyIds: readonly number[],
): Promise<{ apiKeyId: number; createdAt: Date }[]> {
  const { apiKeyId, createdAt, reason, state, closedBecause } = rotationRequests;
  const rows = await db
    .select({ apiKeyId, createdAt })
    .from(rotationRequests)
    .where(
      and(
        eq(rotationRequests.accountId, accountId),
        inArray(apiKeyId, [...keyIds]),
        eq(reason, 'leaked'),
        ne(state, 'declined'),
        // One that was withdrawn because its person left the account may still be true.
        or(ne(state, 'withdrawn'), isNotNull(closedBecause)),
      ),
    );
  return rows.flatMap((row) => (row.apiKeyId ? [{ ...row, apiKeyId: row.apiKeyId }] : []));
}

/**
 * Whether a leak of a locked key is reported at `now`. Then its rotation must not be undone, which
 * would keep an older token valid, and it cannot rotate itself, which the person who has the leaked
 * token could do. All open requests of the key are locked in the order of their uuids, as by what
 * closes them.
 */
export async function lockReportedLeak(
  tx: Tx,
  key: { accountId: string; id: number },
  now: Date,
): Promise<boolean> {
  const { accountId, apiKeyId, state, uuid, reason, expiresAt } = rotationRequests;
  const requests = await tx
    .select({ reason, expiresAt })
    .from(rotationRequests)
    .where(and(eq(accountId, key.accountId), eq(apiKeyId, key.id), eq(state, 'open')))
    .orderBy(asc(uuid))
    .for('update');
  return requests.some((request) => request.reason === 'leaked' && request.expiresAt > now);
}
