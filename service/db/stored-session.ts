import { eq, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { preparedOnce, unnamed } from './statements/prepared-once.ts';
import { people } from './schema/people/people.ts';
import { sessions } from './schema/people/sessions.ts';

/** A stored session, with its person. */
export type StoredSession = {
  sessionId: string;
  personId: string;
  personName: string;
  email: string;
  createdAt: Date;
  provedAt: Date | null;
  chosenAccountId: string | null;
  expiresAt: Date;
};

export async function findSessionByToken(db: Db, token: string): Promise<StoredSession | null> {
  const [row] = await sessionsOf(db).execute({ token });
  return row ?? null;
}

const sessionsOf = preparedOnce((db) =>
  db
    .select({
      sessionId: sessions.id,
      personId: people.id,
      personName: people.name,
      email: people.email,
      createdAt: sessions.createdAt,
      provedAt: sessions.provedAt,
      chosenAccountId: sessions.chosenAccountId,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.userId))
    .where(eq(sessions.token, sql.placeholder('token')))
    .prepare(unnamed),
);
