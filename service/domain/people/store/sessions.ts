import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { sessions } from '../../../db/schema/people/sessions.ts';
import type { AccountId } from '../../account-id.ts';

type SessionRow = typeof sessions.$inferSelect;

/** A person's session, whose token is locked until the transaction ends; null if unknown. */
export async function lockSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<Pick<SessionRow, 'digest' | 'createdAt' | 'provedAt'> | null> {
  const [row] = await tx
    .select({
      digest: sessions.digest,
      createdAt: sessions.createdAt,
      provedAt: sessions.provedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.personId, personId)))
    .for('update');
  return row ?? null;
}

/** Changes a person's session; false if they have no such session. */
export async function updateSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
  change:
    | { provedAt: Date; wrongProofs: 0 }
    | { provedAt?: Date; wrongProofs?: 0; digest: Buffer; previousValidUntil: Date }
    | { chosenAccountId: AccountId },
): Promise<boolean> {
  const updated = await tx
    .update(sessions)
    .set(change)
    .where(and(eq(sessions.id, sessionId), eq(sessions.personId, personId)))
    .returning({ id: sessions.id });
  return updated.length > 0;
}

/** Counts a wrong proof in a session. Returns how many there were; null if it has ended. */
export async function addWrongProof(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<number | null> {
  const [row] = await tx
    .update(sessions)
    .set({ wrongProofs: sql`${sessions.wrongProofs} + 1` })
    .where(and(eq(sessions.id, sessionId), eq(sessions.personId, personId)))
    .returning({ wrongProofs: sessions.wrongProofs });
  return row?.wrongProofs ?? null;
}

/** Ends a person's session and returns where it was used; null if they have no such session. */
export async function deleteSession(
  tx: Db | Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<{ ip: string | null; userAgent: string | null } | null> {
  const [row] = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.personId, personId)))
    .returning({ ip: sessions.ipAddress, userAgent: sessions.userAgent });
  return row ?? null;
}

/** Ends all sessions of a person, or all but one; returns how many. */
export async function deleteSessions(
  tx: Tx,
  { personId, exceptId }: { personId: string; exceptId?: string },
): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.personId, personId),
        exceptId === undefined ? undefined : ne(sessions.id, exceptId),
      ),
    )
    .returning({ id: sessions.id });
  return ended.length;
}

/**
 * Ends a person's sessions that work in an account; returns how many.
 *
 * @param isJoinedFirst whether sessions without a chosen account work in this one
 */
export async function deleteSessionsInAccount(
  tx: Tx,
  {
    personId,
    accountId,
    isJoinedFirst,
  }: { personId: string; accountId: AccountId; isJoinedFirst: boolean },
): Promise<number> {
  const isChosen = eq(sessions.chosenAccountId, accountId);
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.personId, personId),
        isJoinedFirst ? or(isChosen, isNull(sessions.chosenAccountId)) : isChosen,
      ),
    )
    .returning({ id: sessions.id });
  return ended.length;
}

/** Makes all of a person's sessions except this one ask for a new proof. */
export async function expireOtherProofs(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ provedAt: new Date(0) })
    .where(and(eq(sessions.personId, personId), ne(sessions.id, sessionId)));
}
