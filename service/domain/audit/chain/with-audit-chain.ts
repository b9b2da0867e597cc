import type { Db } from '../../../db/open.ts';
import { appendEntries } from './append-entries.ts';
import type { AuditKeys } from './audit-keys.ts';
import { collectEntries } from './pending-entries.ts';

/**
 * The same database, on which transactions write their audit entries as their last act. The head of
 * an account's chain, which everybody who writes entries for the account must lock, is thereby
 * locked after everything else, and until the commit only.
 */
export function withAuditChain(db: Db, keys: AuditKeys): Db {
  const transaction: Db['transaction'] = async (act, options) =>
    await db.transaction(async (tx) => {
      const pending = collectEntries(tx);
      const result = await act(tx);
      await appendEntries(tx, keys, pending);
      return result;
    }, options);
  return Object.assign(Object.create(db) as Db, { transaction });
}
