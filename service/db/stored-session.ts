import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { Db } from './open.ts';
import { people } from './schema/people/people.ts';
import { sessions } from './schema/people/sessions.ts';
import { hotRead } from './statements/hot-read.ts';

type SessionRow = typeof sessions.$inferSelect;

/** How long a session lasts without use. */
const idleMs = 12 * hourMs;
/** How long it lasts at most, however much it is used. */
const maxAgeMs = 7 * dayMs;

/** When a session ends at the latest. */
export function latestEnd({ createdAt }: Pick<SessionRow, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + maxAgeMs);
}

/** When a session ends if it is not used again. */
export function endOf(session: Pick<SessionRow, 'createdAt' | 'lastUsedAt'>): Date {
  const { lastUsedAt } = session;
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, latestEnd(session).getTime()));
}

/** Matches the sessions whose `endOf` is after `now`. */
export function isOpenAt(now: Date): SQL | undefined {
  return and(
    gt(sessions.lastUsedAt, new Date(now.getTime() - idleMs)),
    gt(sessions.createdAt, new Date(now.getTime() - maxAgeMs)),
  );
}

export async function insertSession(db: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session);
}

type StoredSession = Pick<
  SessionRow,
  'createdAt' | 'lastUsedAt' | 'provedAt' | 'chosenAccountId'
> & {
  sessionId: string;
  personId: string;
  personName: string;
  email: string;
  /** Whether it was found by the token that its present one replaced. */
  isReplaced: boolean;
};

/**
 * The session whose token has this digest, which may have ended. A token that was replaced finds
 * its session by the digest of its successor until `previous_valid_until`.
 */
export async function findSessionByDigest(
  db: Db,
  { digest, successor, now }: { digest: Buffer; successor: Buffer; now: Date },
): Promise<StoredSession | null> {
  const [row] = await sessionsOf(db, { digest, successor });
  if (!row) return null;
  const { digest: current, previousValidUntil, ...session } = row;
  const isReplaced = !current.equals(digest);
  if (isReplaced && (previousValidUntil === null || previousValidUntil <= now)) return null;
  return { ...session, isReplaced };
}

/** Every call of the dashboard begins with it. */
const sessionsOf = hotRead(
  {
    sessionId: sessions.id,
    personId: people.id,
    personName: people.name,
    email: people.email,
    createdAt: sessions.createdAt,
    lastUsedAt: sessions.lastUsedAt,
    provedAt: sessions.provedAt,
    chosenAccountId: sessions.chosenAccountId,
    digest: sessions.digest,
    previousValidUntil: sessions.previousValidUntil,
  },
  (select) =>
    select
      .from(sessions)
      .innerJoin(people, eq(people.id, sessions.personId))
      .where(inArray(sessions.digest, [sql.placeholder('digest'), sql.placeholder('successor')])),
);

export async function recordUse(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, sessionId));
}

export async function listOpenSessions(db: Db, personId: string, now: Date): Promise<SessionRow[]> {
  return await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.personId, personId), isOpenAt(now)))
    .orderBy(desc(sessions.lastUsedAt));
}

export async function deleteSessionById(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

export async function deleteSessionByDigest(db: Db, digest: Buffer): Promise<void> {
  await db.delete(sessions).where(eq(sessions.digest, digest));
}
