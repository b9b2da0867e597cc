import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { keysOf } from '#lib/object-keys.ts';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../account-id.ts';
import type { AuditHead } from '../chain/audit-keys.ts';
import { isOutsideChain } from '../statements/is-outside-chain.ts';
import type { ChainedRow } from './entries.ts';

/** A part of a chain, with the head as it is at the same moment. */
type ChainPart = {
  head: AuditHead | null;
  /** Up to `limit` entries after a place, except those that retention removed. */
  rows: ChainedRow[];
};

/**
 * Reads the next part of an account's chain, in one statement, so that writers and retention can
 * work in the meantime.
 * @returns null if the account is erased
 */
export async function readChainPart(
  db: Db,
  accountId: AccountId,
  { after, limit }: { after: number; limit: number },
): Promise<ChainPart | null> {
  const part = db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, accountId),
        gt(
          auditEntries.sequence,
          sql`greatest(${after}::bigint, coalesce(${auditHeads.checkpointSequence}, 0))`,
        ),
      ),
    )
    .orderBy(asc(auditEntries.sequence))
    .limit(limit)
    .as('part');
  const columns = keysOf(getTableColumns(auditEntries));
  const entry = Object.fromEntries(columns.map((name) => [name, part[name]]));
  const rows = await db
    .select({ head: auditHeads, entry })
    .from(accounts)
    .leftJoin(auditHeads, eq(auditHeads.accountId, accounts.id))
    .leftJoinLateral(part, sql`true`)
    .where(eq(accounts.id, accountId));
  const [first] = rows;
  if (!first) return null;
  return {
    head: first.head,
    rows: rows.flatMap(({ entry: row }) => {
      if (!row || row['id'] === null) return [];
      // Someone else than the service may have left out the hash.
      return [{ ...row, hash: row['hash'] ?? Buffer.alloc(0) } as ChainedRow];
    }),
  };
}

/** How many entries of an account are outside its chain, and the ids of up to `limit` of them. */
export async function listOutsideChain(
  db: Db,
  accountId: AccountId,
  limit: number,
): Promise<{ ids: number[]; total: number }> {
  const rows = await db
    .select({ id: auditEntries.id, total: sql<number>`count(*) over ()`.mapWith(Number) })
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), isOutsideChain(accountId)))
    .orderBy(asc(auditEntries.id))
    .limit(limit);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

/** The next of all accounts, by their ids. */
export async function listNextAccounts(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; name: string }[]> {
  return await db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(after === null ? undefined : gt(accounts.id, after))
    .orderBy(asc(accounts.id))
    .limit(limit);
}
