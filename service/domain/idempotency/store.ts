import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { idempotentAnswers } from '../../db/schema/idempotent-answers.ts';

export type AnswerName = Pick<
  typeof idempotentAnswers.$inferSelect,
  'accountId' | 'caller' | 'route' | 'key'
>;

/**
 * Takes the name for a new answer; false if an answer younger than `oldest` has it. Waits for
 * another transaction that is just taking the same name.
 */
export async function claimAnswer(
  tx: Tx,
  name: AnswerName,
  claim: { requestDigest: Buffer; now: Date; oldest: Date },
): Promise<boolean> {
  const claimed = await tx
    .insert(idempotentAnswers)
    .values({ ...name, requestDigest: claim.requestDigest, createdAt: claim.now })
    .onConflictDoUpdate({
      target: [
        idempotentAnswers.accountId,
        idempotentAnswers.caller,
        idempotentAnswers.route,
        idempotentAnswers.key,
      ],
      set: { requestDigest: claim.requestDigest, createdAt: claim.now, answer: null },
      setWhere: sql`${idempotentAnswers.createdAt} <= ${claim.oldest.toISOString()}::timestamptz`,
    })
    .returning({ key: idempotentAnswers.key });
  return claimed.length > 0;
}

export async function findAnswer(
  tx: Tx,
  name: AnswerName,
): Promise<{ requestDigest: Buffer; answer: unknown; createdAt: Date } | null> {
  const [row] = await tx
    .select({
      requestDigest: idempotentAnswers.requestDigest,
      answer: idempotentAnswers.answer,
      createdAt: idempotentAnswers.createdAt,
    })
    .from(idempotentAnswers)
    .where(isNamed(name));
  return row ?? null;
}

export async function keepAnswer(tx: Tx, name: AnswerName, answer: unknown): Promise<void> {
  await tx.update(idempotentAnswers).set({ answer }).where(isNamed(name));
}

/** Removes up to `limit` answers made before `oldest`, whoever's they are. @returns how many */
export async function deleteAnswersBefore(db: Db, oldest: Date, limit: number): Promise<number> {
  const { accountId, caller, route, key, createdAt } = idempotentAnswers;
  const some = db
    .select({ accountId, caller, route, key })
    .from(idempotentAnswers)
    .where(lt(createdAt, oldest))
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(idempotentAnswers)
    .where(sql`(account_id, caller, route, key) in ${some}`)
    .returning({ key });
  return removed.length;
}

function isNamed({ accountId, caller, route, key }: AnswerName) {
  return and(
    eq(idempotentAnswers.accountId, accountId),
    eq(idempotentAnswers.caller, caller),
    eq(idempotentAnswers.route, route),
    eq(idempotentAnswers.key, key),
  );
}
