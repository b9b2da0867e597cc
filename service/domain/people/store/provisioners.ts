import { and, asc, count, eq, gt, isNull, or } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { provisioners } from '../../../db/schema/people/provisioners.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { mintAccountId, type AccountId } from '../../account-id.ts';

export type ProvisionerRow = typeof provisioners.$inferSelect;

/** False if there is one with this name. */
export async function insertProvisioner(
  tx: Tx,
  row: typeof provisioners.$inferInsert,
): Promise<boolean> {
  const added = await tx
    .insert(provisioners)
    .values(row)
    .onConflictDoNothing({ target: provisioners.name })
    .returning({ id: provisioners.id });
  return added.length > 0;
}

/** The provisioner with the token of this digest, unless it has expired. */
export async function findValidProvisioner(
  db: Db,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<ProvisionerRow | null> {
  const [row] = await db
    .select()
    .from(provisioners)
    .where(and(eq(provisioners.digest, digest), gt(provisioners.expiresAt, now)));
  return row ?? null;
}

/**
 * Whether the provisioner still exists and has not expired. It is locked until the transaction ends,
 * so that its accounts are counted and created by one call at a time.
 */
export async function confirmProvisioner(
  tx: Tx,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const found = await tx
    .select({ id: provisioners.id })
    .from(provisioners)
    .where(and(eq(provisioners.id, id), gt(provisioners.expiresAt, now)))
    .for('no key update');
  return found.length > 0;
}

/** All provisioners, with how many accounts each has. */
export async function listProvisionerRows(
  db: Db,
  deletedBy: Date,
): Promise<(ProvisionerRow & { accounts: number })[]> {
  const rows = await db
    .select({ provisioner: provisioners, accounts: count(accounts.id) })
    .from(provisioners)
    .leftJoin(accounts, and(eq(accounts.provisionerId, provisioners.id), isKept(deletedBy)))
    .groupBy(provisioners.id)
    .orderBy(asc(provisioners.name));
  return rows.map((row) => ({ ...row.provisioner, accounts: row.accounts }));
}

/** Lets a provisioner expire, once the accounts that it is creating are created. @returns its id */
export async function endProvisioner(
  db: Db,
  { name, now }: { name: string; now: Date },
): Promise<string | null> {
  const [ended] = await db
    .update(provisioners)
    .set({ expiresAt: now })
    .where(eq(provisioners.name, name))
    .returning({ id: provisioners.id });
  return ended?.id ?? null;
}

export async function deleteProvisioner(db: Db, id: string): Promise<void> {
  await db.delete(provisioners).where(eq(provisioners.id, id));
}

/** The accounts of a provisioner, also those that their owners deleted and can restore. */
export async function listProvisionedAccounts(
  db: Db | Tx,
  { provisionerId, deletedBy }: { provisionerId: string; deletedBy: Date },
): Promise<AccountId[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(columnsEqual(accounts, { provisionerId }), isKept(deletedBy)));
  return rows.map(({ id }) => mintAccountId(id));
}

/** Accounts that were deleted at or before this moment are erased. */
function isKept(deletedBy: Date) {
  return or(isNull(accounts.deletedAt), gt(accounts.deletedAt, deletedBy));
}
