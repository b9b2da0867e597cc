import { and, eq, getTableName, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { PgTable } from 'drizzle-orm/pg-core';
import { StartError } from '../../start-error.ts';
import type { Db, Tx } from '../open.ts';
import { apiKeys } from '../schema/api-keys/api-keys.ts';
import { apiKeyTokens } from '../schema/api-keys/api-key-tokens.ts';
import { processes } from '../schema/installation.ts';
import { accounts } from '../schema/people/accounts.ts';
import { passwordResets } from '../schema/people/credentials.ts';
import { provisioners } from '../schema/people/provisioners.ts';
import { passkeyChallenges } from '../schema/people/second-factors.ts';
import { pendingSignIns, sessions } from '../schema/people/sessions.ts';
import { tables } from '../schema/tables.ts';
import { deliveries } from '../schema/webhooks/deliveries.ts';
import { workers } from '../schema/webhooks/lanes.ts';
import {
  deleteRestoredBackup,
  readRestoredBackup,
  storeRestoredBackup,
} from '../stored-settings.ts';
import type { BackupHeader, BackupLine, BackupTable } from './backup-lines.ts';

/** How many rows, and characters of JSON, an insert adds at most: what fits into memory. */
const mostRows = 200;
const mostCharacters = 8 * 1024 * 1024;

export type ValidToken = {
  account: string;
  key: string;
  keyUuid: string;
  lastFour: string;
  validUntil: Date | null;
};

/**
 * Restores a backup into an empty database with the same tables, in one transaction. What was valid
 * for a short time is not restored: sessions, links that reset a password, provisioners. Workers send nothing
 * until `resumeDeliveries`.
 *
 * @returns how many rows the database has now, and the tokens that work now; null, and nothing is
 *   restored, if the database has rows already
 * @throws StartError if the backup is incomplete or was changed; nothing is restored then
 */
export async function restoreBackup(
  db: Db,
  { header, lines }: { header: BackupHeader; lines: AsyncIterable<BackupLine> },
  now: Date,
): Promise<{ rows: number; tokens: ValidToken[] } | null> {
  return await db.transaction(async (tx) => {
    if (!(await isEmpty(tx))) return null;
    const rows = await addLines(tx, lines);
    for (const table of ofRunningService) await tx.delete(table);
    await storeRestoredBackup(tx, header.createdAt);
    return { rows, tokens: await listValidTokens(tx, now) };
  });
}

/** What belongs to the service that wrote the backup while it ran. */
const ofRunningService = [
  sessions,
  pendingSignIns,
  passkeyChallenges,
  passwordResets,
  provisioners,
  workers,
  processes,
];

async function isEmpty(tx: Tx): Promise<boolean> {
  for (const table of Object.values<PgTable>(tables)) {
    const { rows } = await tx.execute(sql`select from ${table} limit 1`);
    if (rows.length > 0) return false;
  }
  return true;
}

async function addLines(tx: Tx, lines: AsyncIterable<BackupLine>): Promise<number> {
  let table: BackupTable | null = null;
  let batch: string[] = [];
  let characters = 0;
  let rows = 0;
  const flush = async () => {
    if (table && batch.length > 0) await addRows(tx, table, batch);
    rows += batch.length;
    batch = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (line.kind === 'row') {
      batch.push(line.json);
      characters += line.json.length;
      if (batch.length >= mostRows || characters >= mostCharacters) await flush();
      continue;
    }
    await flush();
    if (line.kind === 'table') {
      refuseOtherTable(line.value);
      table = line.value;
    } else {
      await continueSequence(tx, line.value);
    }
  }
  await flush();
  return rows;
}

/** Rows of a file that someone crafted reach the tables of the service only. */
function refuseOtherTable({ name, columns }: BackupTable): void {
  const table = Object.values<PgTable>(tables).find((each) => getTableName(each) === name);
  const known = new Set(table && getTableConfig(table).columns.map((column) => column.name));
  if (!columns.every((column) => known.has(column))) throw unknownName(name);
}

async function continueSequence(
  tx: Tx,
  { name, last }: { name: string; last: string },
): Promise<void> {
  const { rows } = await tx.execute(
    sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${last}::bigint)
      from pg_sequences where schemaname = current_schema() and sequencename = ${name}`,
  );
  if (rows.length === 0) throw unknownName(name);
}

function unknownName(name: string): StartError {
  return new StartError(
    `The backup has ${JSON.stringify(name)}, which is no table or sequence of this version, so nothing was restored. Use another backup.`,
  );
}

async function addRows(tx: Tx, table: BackupTable, rows: readonly string[]): Promise<void> {
  const name = sql.identifier(table.name);
  const columns = sql.join(
    table.columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
  await tx.execute(
    sql`insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, ${`[${rows.join(',')}]`}::json)`,
  );
}

/** The tokens with which calls succeed, by account and key. */
async function listValidTokens(tx: Tx, now: Date): Promise<ValidToken[]> {
  return await tx
    .select({
      account: accounts.name,
      key: apiKeys.name,
      keyUuid: apiKeys.uuid,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
    })
    .from(apiKeyTokens)
    .innerJoin(
      apiKeys,
      and(eq(apiKeys.accountId, apiKeyTokens.accountId), eq(apiKeys.id, apiKeyTokens.apiKeyId)),
    )
    .innerJoin(accounts, eq(accounts.id, apiKeyTokens.accountId))
    .where(
      and(
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.pausedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        or(isNull(apiKeyTokens.validUntil), gt(apiKeyTokens.validUntil, now)),
      ),
    )
    .orderBy(accounts.name, accounts.id, apiKeys.name, apiKeys.id, apiKeyTokens.id);
}

/**
 * Lets workers send deliveries after a restore.
 *
 * @param options.skip whether to cancel the deliveries that were pending in the backup, some of
 *   which the service may have sent since
 * @returns how many were cancelled; null if deliveries were not held
 */
export async function resumeDeliveries(
  db: Db,
  { skip, now }: { skip: boolean; now: Date },
): Promise<number | null> {
  return await db.transaction(async (tx) => {
    const restored = await readRestoredBackup(tx);
    if (!restored) return null;
    await deleteRestoredBackup(tx);
    if (!skip) return 0;
    const cancelled = await tx
      .update(deliveries)
      .set({
        status: 'cancelled',
        dueAt: null,
        scheduledAt: null,
        isRequested: false,
        finishedAt: now,
      })
      .where(and(eq(deliveries.status, 'pending'), lte(deliveries.createdAt, restored)))
      .returning({ id: deliveries.id });
    return cancelled.length;
  });
}
