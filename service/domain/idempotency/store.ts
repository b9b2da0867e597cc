import { lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { columnsEqual } from '../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { idempotentResponses } from '../../db/schema/idempotent-responses.ts';

export type RequestName = Pick<
  typeof idempotentResponses.$inferSelect,
  'accountId' | 'caller' | 'route' | 'key'
>;

/**
 * Claims the key for a new response; false if a response younger than `oldest` has it. That response
 * is then locked, so nobody removes it before the transaction ends. Waits for another transaction
 * that is claiming the same key.
 */
export async function claimResponse(
  tx: Tx,
  name: RequestName,
  claim: { requestDigest: Buffer; now: Date; oldest: Date },
): Promise<boolean> {
  const claimed = await tx
    .insert(idempotentResponses)
    .values({ ...name, requestDigest: claim.requestDigest, createdAt: claim.now })
    .onConflictDoUpdate({
      target: [
        idempotentResponses.accountId,
        idempotentResponses.caller,
        idempotentResponses.route,
        idempotentResponses.key,
      ],
      set: { requestDigest: claim.requestDigest, createdAt: claim.now, response: null },
      setWhere: sql`${idempotentResponses.createdAt} <= ${sqlInstant(claim.oldest)}`,
    })
    .returning({ key: idempotentResponses.key });
  return claimed.length > 0;
}

export async function findResponse(
  db: Db | Tx,
  name: RequestName,
): Promise<{ requestDigest: Buffer; response: unknown; createdAt: Date } | null> {
  const [row] = await db
    .select({
      requestDigest: idempotentResponses.requestDigest,
      response: idempotentResponses.response,
      createdAt: idempotentResponses.createdAt,
    })
    .from(idempotentResponses)
    .where(isNamed(name));
  return row ?? null;
}

export async function keepResponse(tx: Tx, name: RequestName, response: unknown): Promise<void> {
  await tx.update(idempotentResponses).set({ response }).where(isNamed(name));
}

/** Removes up to `limit` responses from before `oldest`, of all accounts. @returns how many */
export async function deleteResponsesBefore(db: Db, oldest: Date, limit: number): Promise<number> {
  const { accountId, caller, route, key, createdAt } = idempotentResponses;
  const some = db
    .select({ accountId, caller, route, key })
    .from(idempotentResponses)
    .where(lt(createdAt, oldest))
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(idempotentResponses)
    .where(sql`(account_id, caller, route, key) in ${some}`)
    .returning({ key });
  return removed.length;
}

function isNamed({ accountId, caller, route, key }: RequestName) {
  return columnsEqual(idempotentResponses, { accountId, caller, route, key });
}
