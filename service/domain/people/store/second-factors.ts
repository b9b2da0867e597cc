import { and, asc, count, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../../db/open.ts';
import { people } from '../../../db/schema/people/people.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../../db/schema/people/second-factors.ts';

export type AuthenticatorAppRow = typeof authenticatorApps.$inferSelect;
export type PasskeyRow = typeof passkeys.$inferSelect;

/** The second factors that a person has in use. Recovery codes alone are none. */
export type FactorCounts = { app: boolean; passkeys: number; recoveryCodesLeft: number };

/** Columns that count the second factors of the person in the given column. */
export function factorColumns(personId: AnyPgColumn) {
  return {
    app: sql<boolean>`exists (select 1 from ${authenticatorApps} where ${authenticatorApps.personId} = ${personId} and ${authenticatorApps.confirmedAt} is not null)`,
    passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.personId} = ${personId})`,
  };
}

export async function countFactors(db: Db | Tx, personId: string): Promise<FactorCounts> {
  const [row] = await db
    .select({
      ...factorColumns(people.id),
      recoveryCodesLeft:
        sql`(select count(*) from ${recoveryCodes} where ${recoveryCodes.personId} = ${people.id} and ${recoveryCodes.usedAt} is null)`.mapWith(
          Number,
        ),
    })
    .from(people)
    .where(eq(people.id, personId));
  return row ?? { app: false, passkeys: 0, recoveryCodesLeft: 0 };
}

/** Locks a person's factors against changes by others until the transaction ends. */
export async function lockFactors(tx: Tx, personId: string): Promise<void> {
  await tx
    .select({ id: people.id })
    .from(people)
    .where(eq(people.id, personId))
    .for('no key update');
}

export async function findApp(db: Db | Tx, personId: string): Promise<AuthenticatorAppRow | null> {
  const [row] = await db
    .select()
    .from(authenticatorApps)
    .where(eq(authenticatorApps.personId, personId));
  return row ?? null;
}

/** Stores an app that is not in use yet, and replaces an earlier one that is not in use either. */
export async function replaceUnconfirmedApp(
  tx: Tx,
  row: typeof authenticatorApps.$inferInsert,
): Promise<void> {
  await tx
    .delete(authenticatorApps)
    .where(
      and(eq(authenticatorApps.personId, row.personId), isNull(authenticatorApps.confirmedAt)),
    );
  await tx.insert(authenticatorApps).values(row);
}

export async function updateApp(
  tx: Tx,
  personId: string,
  change: Partial<
    Pick<AuthenticatorAppRow, 'confirmedAt' | 'lastStep' | 'lastUsedAt' | 'sealedSecret'>
  >,
): Promise<void> {
  await tx.update(authenticatorApps).set(change).where(eq(authenticatorApps.personId, personId));
}

/** The encrypted secrets of all apps, by person, locked. */
export async function lockAppSecrets(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<Pick<AuthenticatorAppRow, 'personId' | 'uuid' | 'sealedSecret'>[]> {
  const { personId, uuid, sealedSecret } = authenticatorApps;
  return await tx
    .select({ personId, uuid, sealedSecret })
    .from(authenticatorApps)
    .where(after === null ? undefined : gt(personId, after))
    .orderBy(asc(personId))
    .limit(limit)
    .for('update');
}

/** Removes the app that is in use; false if there is none. */
export async function deleteApp(tx: Tx, personId: string): Promise<boolean> {
  const deleted = await tx
    .delete(authenticatorApps)
    .where(and(eq(authenticatorApps.personId, personId), isNotNull(authenticatorApps.confirmedAt)))
    .returning({ personId: authenticatorApps.personId });
  return deleted.length > 0;
}

/** A person's passkeys, the oldest first. */
export async function listPasskeyRows(db: Db | Tx, personId: string): Promise<PasskeyRow[]> {
  return await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(passkeys.createdAt, passkeys.uuid);
}

/** Stores a passkey; false if a passkey with its credential id exists. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const inserted = await tx
    .insert(passkeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ uuid: passkeys.uuid });
  return inserted.length > 0;
}

/** Changes a person's passkey and returns it; null if they have no such passkey. */
export async function updatePasskey(
  tx: Tx,
  { personId, uuid }: Pick<PasskeyRow, 'personId' | 'uuid'>,
  change: Partial<Pick<PasskeyRow, 'name' | 'counter' | 'lastUsedAt' | 'isSynced'>>,
): Promise<PasskeyRow | null> {
  const [row] = await tx
    .update(passkeys)
    .set(change)
    .where(and(eq(passkeys.personId, personId), eq(passkeys.uuid, uuid)))
    .returning();
  return row ?? null;
}

/** Removes a person's passkey and returns it as it was; null if they have no such passkey. */
export async function deletePasskey(
  tx: Tx,
  { personId, uuid }: Pick<PasskeyRow, 'personId' | 'uuid'>,
): Promise<PasskeyRow | null> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.personId, personId), eq(passkeys.uuid, uuid)))
    .returning();
  return row ?? null;
}

/** When a person's recovery codes were made, and how many there were; null if they have none. */
export async function findRecoveryCodes(
  db: Db | Tx,
  personId: string,
): Promise<{ createdAt: Date; total: number; left: number } | null> {
  const [row] = await db
    .select({
      createdAt: recoveryCodes.createdAt,
      total: count(),
      left: sql`count(*) filter (where ${recoveryCodes.usedAt} is null)`.mapWith(Number),
    })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.personId, personId))
    .groupBy(recoveryCodes.createdAt);
  return row ?? null;
}

export async function replaceRecoveryCodes(
  tx: Tx,
  { personId, digests, now }: { personId: string; digests: readonly Buffer[]; now: Date },
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  if (digests.length === 0) return;
  await tx
    .insert(recoveryCodes)
    .values(digests.map((digest) => ({ digest, personId, createdAt: now })));
}

/** Uses up a person's recovery code; false if it is not theirs, or was already used. */
export async function consumeRecoveryCode(
  tx: Tx,
  { personId, digest, now }: { personId: string; digest: Buffer; now: Date },
): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.personId, personId),
        eq(recoveryCodes.digest, digest),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ digest: recoveryCodes.digest });
  return used.length > 0;
}

/** Removes all second factors of a person, and their recovery codes; returns which there were. */
export async function deleteFactors(
  tx: Tx,
  personId: string,
): Promise<Pick<FactorCounts, 'app' | 'passkeys'>> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  const apps = await tx
    .delete(authenticatorApps)
    .where(eq(authenticatorApps.personId, personId))
    .returning({ confirmedAt: authenticatorApps.confirmedAt });
  const removed = await tx
    .delete(passkeys)
    .where(eq(passkeys.personId, personId))
    .returning({ uuid: passkeys.uuid });
  return { app: apps.some(({ confirmedAt }) => confirmedAt !== null), passkeys: removed.length };
}
