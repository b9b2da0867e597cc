import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { accounts } from './schema/people/accounts.ts';

/** SQL for whether the account in this column is not being deleted. */
export function isAccountNotDeleted(accountId: PgColumn): SQL {
  return sql`not exists (
    select from ${accounts} as deleted_account
    where deleted_account.id = ${accountId} and deleted_account.deleted_at is not null
  )`;
}
