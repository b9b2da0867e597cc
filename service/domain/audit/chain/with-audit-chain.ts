import type { Db } from '../../../db/open.ts';
import { appendEntries } from './append-entries.ts';
import type { AuditKeys } from './audit-keys.ts';
import { collectEntries } from './pending-entries.ts';

/**
 * Returns a database whose transactions write their audit entries last. The head of an account's
 * chain, for which all writers of that account compete, is therefore locked after everything else,
 * and only until the commit.
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
