import { sql, type SQL } from 'drizzle-orm';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';

/**
 * Whether an entry has no place in the chain of its account, or one that retention has removed. The
 * service writes no such entry: someone else added it to the database.
 *
 * @param accountId the account of the entry
 */
export function isOutsideChain(accountId: string | SQL): SQL<boolean> {
  return sql<boolean>`(
    ${auditEntries.sequence} is null
    or ${auditEntries.sequence} <= coalesce(
      (select ${auditHeads.checkpointSequence} from ${auditHeads} where ${auditHeads.accountId} = ${accountId}),
      0
    )
  )`;
}
