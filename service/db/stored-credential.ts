import { eq } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from './open.ts';
import { credentials } from './schema/people/credentials.ts';
import { people } from './schema/people/people.ts';

/** A person who signs in with a password, and the password's hash. */
export type PersonCredential = { personId: string; email: string; passwordHash: string };

/** The person with this email and their password's hash, in one query whether they exist or not. */
export async function findCredentialByEmail(
  db: Db,
  email: string,
): Promise<PersonCredential | null> {
  return await findCredential(db, eq(people.email, email));
}

export async function findCredentialById(
  db: Db,
  personId: string,
): Promise<PersonCredential | null> {
  return await findCredential(db, eq(people.id, personId));
}

async function findCredential(db: Db, isTheirs: SQL): Promise<PersonCredential | null> {
  const [row] = await db
    .select({
      personId: people.id,
      email: people.email,
      passwordHash: credentials.passwordHash,
    })
    .from(people)
    .innerJoin(credentials, eq(credentials.personId, people.id))
    .where(isTheirs);
  return row ?? null;
}
