import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { Pool } from 'pg';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { tables } from '../../db/schema/tables.ts';

/**
 * The same database, which records every statement except those that begin and end transactions.
 */
export function logStatements(database: OpenDatabase, statements: string[]): Db {
  const { $client } = database.db as unknown as { $client: unknown };
  const logger = {
    logQuery(statement: string) {
      if (!/^(begin|commit|rollback)/.test(statement)) statements.push(statement.trim());
    },
  };
  return database.engine === 'pglite'
    ? (drizzlePglite($client as PGlite, { schema: tables, logger }) as unknown as Db)
    : drizzlePostgres($client as Pool, { schema: tables, logger });
}
