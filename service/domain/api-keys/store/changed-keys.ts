import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import type { AccountId } from '../../account-id.ts';

/** The channel on which a changed key's id is announced to every process. */
export const apiKeyChangedChannel = 'api_key_changed';

/** Notifies every process, when the transaction commits, that a key changed. */
export async function announceApiKeyChange(tx: Tx, apiKeyId: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${apiKeyChangedChannel}, ${String(apiKeyId)})`);
}

/** Locks the keys of an account that are not revoked, in id order. */
export async function lockUnrevokedKeys(tx: Tx, accountId: AccountId): Promise<void> {
  await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isLivingIn(accountId))
    .orderBy(asc(apiKeys.id))
    .for('update');
}

/** The same for the keys of an account that are not revoked. @returns their ids */
export async function announceUnrevokedKeys(tx: Tx, accountId: AccountId): Promise<number[]> {
  const announced = await tx
    .select({
      id: apiKeys.id,
      notified: sql`pg_notify(${apiKeyChangedChannel}, ${apiKeys.id}::text)`,
    })
    .from(apiKeys)
    .where(isLivingIn(accountId));
  return announced.map(({ id }) => id);
}

function isLivingIn(accountId: AccountId) {
  return and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
}
