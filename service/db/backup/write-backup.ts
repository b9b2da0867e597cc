import { createHash } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { getTableName, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { PgTable } from 'drizzle-orm/pg-core';
import { StartError } from '../../start-error.ts';
import { version } from '../../version.ts';
import type { Db, Tx } from '../open.ts';
import { newestMigration } from '../recorded-migrations.ts';
import { tables } from '../schema/tables.ts';
import { readKeyCheck, storeLastBackup } from '../stored-settings.ts';
import { formatVersion, lineOf } from './backup-lines.ts';
import type { BackupHeader } from './backup-lines.ts';

/** Few enough that the largest attempts, with their bodies, fit into memory. */
const rowsAtOnce = 200;

/**
 * Writes all rows, as they are at one moment, and the ids that come next to a file that only this
 * user can read. The file appears under its name when it is complete and on the disk.
 *
 * @returns how many rows the backup has
 */
export async function writeBackup(db: Db, path: string, now: Date): Promise<number> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  const counted = { rows: 0 };
  const file = await open(unfinished, 'wx', 0o600);
  const { ino } = await file.stat();
  try {
    await db.transaction(
      async (tx) => {
        const lines = linesOf(tx, await readHeader(tx, now), counted);
        await pipeline(lines, createGzip(), file.createWriteStream({ flush: true }));
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
    if (!(await isFile(unfinished, ino))) {
      throw new StartError(`Another backup to ${path} began, so this one was not written.`);
    }
    await rename(unfinished, path);
  } catch (error) {
    if (await isFile(unfinished, ino)) await rm(unfinished);
    throw error;
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
  await storeLastBackup(db, now);
  return counted.rows;
}

/** False if another backup has replaced the file. */
async function isFile(path: string, ino: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.ino === ino;
}

async function readHeader(tx: Tx, now: Date): Promise<BackupHeader> {
  const keyCheck = await readKeyCheck(tx);
  return {
    formatVersion,
    version,
    migration: newestMigration(),
    createdAt: now.toISOString(),
    keyCheck,
  };
}

/** The lines of a backup; the last one has a checksum of all others. */
async function* linesOf(
  tx: Tx,
  header: BackupHeader,
  counted: { rows: number },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const text of linesBeforeEnd(tx, header, counted)) {
    hash.update(text);
    yield text;
  }
  yield lineOf('end', { rows: counted.rows, sha256: hash.digest('hex') });
}

async function* linesBeforeEnd(
  tx: Tx,
  header: BackupHeader,
  counted: { rows: number },
): AsyncGenerator<string> {
  yield lineOf('header', header);
  for (const table of inOrderOfReferences()) {
    yield lineOf('table', { name: getTableName(table), columns: columnsOf(table) });
    for await (const batch of readRows(tx, table)) {
      counted.rows += batch.length;
      yield batch.map((row) => `${row}\n`).join('');
    }
  }
  const { rows } = await tx.execute<{ name: string; last: string | null; mayRead: boolean }>(
    sql`select sequencename as name, last_value::text as last,
      has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'select') as "mayRead"
      from pg_sequences where schemaname = current_schema()`,
  );
  for (const { name, last, mayRead } of rows) {
    if (!mayRead) {
      throw new StartError(
        'The user in DATABASE_URL may not read which IDs come next. Set MIGRATION_DATABASE_URL to the owner of the tables for this command.',
      );
    }
    if (last !== null) yield lineOf('sequence', { name, last });
  }
}

/** The tables, each after those that its foreign keys refer to. */
function inOrderOfReferences(): ReadonlySet<PgTable> {
  const ordered = new Set<PgTable>();
  const add = (table: PgTable) => {
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable);
    ordered.add(table);
  };
  for (const table of Object.values<PgTable>(tables)) add(table);
  return ordered;
}

/** Without the transactions that added the rows: a restore adds them in its own. */
function columnsOf(table: PgTable): string[] {
  return getTableConfig(table)
    .columns.filter((column) => column.getSQLType() !== 'xid8')
    .map(({ name }) => name);
}

/** The rows as JSON, in whose form both engines write and read every type without loss. */
async function* readRows(tx: Tx, table: PgTable): AsyncGenerator<string[]> {
  const columns = sql.join(
    columnsOf(table).map((name) => sql.identifier(name)),
    sql`, `,
  );
  await tx.execute(
    sql`declare backup_rows no scroll cursor for select row_to_json(stored)::text as json from (select ${columns} from ${table}) as stored`,
  );
  for (;;) {
    const { rows } = await tx.execute<{ json: string }>(
      sql`fetch ${sql.raw(String(rowsAtOnce))} from backup_rows`,
    );
    if (rows.length === 0) break;
    yield rows.map(({ json }) => json);
  }
  await tx.execute(sql`close backup_rows`);
}

/** Makes a new name of a file in the folder survive a loss of power. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
