import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { invitations } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';

type InvitationRow = typeof invitations.$inferSelect;

/** An invitation with what its link shows. */
export type InvitationRecord = {
  invitation: InvitationRow;
  invitedBy: { id: string; name: string };
  accountName: string;
};

/** The open invitations of an account, expired ones included, newest first. */
export async function listInvitationRecords(
  db: Db | Tx,
  accountId: AccountId,
): Promise<InvitationRecord[]> {
  return await selectRecords(db)
    .where(eq(invitations.accountId, accountId))
    .orderBy(desc(invitations.createdAt), desc(invitations.uuid));
}

/** Read without an account, because it finds it; not if the account is being deleted. */
export async function findInvitationByDigest(
  db: Db | Tx,
  digest: Buffer,
): Promise<InvitationRecord | null> {
  const [record] = await selectRecords(db).where(
    and(eq(invitations.digest, digest), isAccountNotDeleted(invitations.accountId)),
  );
  return record ?? null;
}

/** The same, locked: nobody else accepts, renews or revokes it until the transaction ends. */
export async function lockInvitationByDigest(
  tx: Tx,
  digest: Buffer,
): Promise<InvitationRecord | null> {
  const [record] = await selectRecords(tx)
    .where(and(eq(invitations.digest, digest), isAccountNotDeleted(invitations.accountId)))
    .for('update', { of: invitations });
  return record ?? null;
}

export async function lockInvitation(
  tx: Tx,
  accountId: AccountId,
  uuid: string,
): Promise<InvitationRecord | null> {
  const [record] = await selectRecords(tx)
    .where(columnsEqual(invitations, { accountId, uuid }))
    .for('update', { of: invitations });
  return record ?? null;
}

/** Whether any account invites this email now. */
export async function hasOpenInvitation(db: Db | Tx, email: string, now: Date): Promise<boolean> {
  const found = await db
    .select({ uuid: invitations.uuid })
    .from(invitations)
    .where(
      and(
        eq(invitations.email, email),
        gt(invitations.expiresAt, now),
        isAccountNotDeleted(invitations.accountId),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Stores an invitation; null if the account already has one for this email. */
export async function insertInvitation(
  tx: Tx,
  row: typeof invitations.$inferInsert,
): Promise<InvitationRow | null> {
  const [inserted] = await tx.insert(invitations).values(row).onConflictDoNothing().returning();
  return inserted ?? null;
}

export async function updateInvitation(
  tx: Tx,
  { accountId, uuid }: InvitationRow,
  change: Pick<InvitationRow, 'digest' | 'isMailed' | 'invitedById' | 'createdAt' | 'expiresAt'>,
): Promise<void> {
  await tx.update(invitations).set(change).where(columnsEqual(invitations, { accountId, uuid }));
}

export async function deleteInvitation(
  tx: Tx,
  { accountId, uuid }: Pick<InvitationRow, 'accountId' | 'uuid'>,
): Promise<void> {
  await tx.delete(invitations).where(columnsEqual(invitations, { accountId, uuid }));
}

/** Removes the invitations that a person made for one of these roles. */
export async function deleteInvitationsBy(
  tx: Tx,
  {
    accountId,
    personId,
    roles,
  }: { accountId: AccountId; personId: string; roles: readonly Role[] },
): Promise<InvitationRow[]> {
  return await tx
    .delete(invitations)
    .where(
      and(
        columnsEqual(invitations, { accountId, invitedById: personId }),
        inArray(invitations.role, [...roles]),
      ),
    )
    .returning();
}

export async function countInvitations(tx: Tx, accountId: AccountId): Promise<number> {
  const [row] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(invitations)
    .where(eq(invitations.accountId, accountId));
  return row?.count ?? 0;
}

function selectRecords(db: Db | Tx) {
  return db
    .select({
      invitation: invitations,
      invitedBy: { id: people.id, name: people.name },
      accountName: accounts.name,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(people, eq(people.id, invitations.invitedById))
    .$dynamic();
}
