import { getTableName, is, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Config } from '../config/load-config.ts';
import { errorCode } from '../error-code.ts';
import { sqlstate } from '../sqlstate.ts';
import type { Db } from './open.ts';
import { connect } from './postgres/with-locked-client.ts';
import { requireSameDatabase } from './postgres/require-same-database.ts';
import { requireSettings } from './postgres/require-settings.ts';
import { checkRecordedMigrations } from './recorded-migrations.ts';
import { tables } from './schema/tables.ts';
import { findingOf, note, wrong, type Finding } from '../finding.ts';

/** As docs/operations/scaling.md says. */
const connectionsOfProcess = 17;
/** Sessions, proofs and leases compare times of several machines. */
const maxSkewMs = 5000;

const advice = 'Check the log of the database server';

/** Checks the embedded database, which is open in this process. */
export async function checkEmbedded(db: Db): Promise<Finding[]> {
  return [
    await findingOf('database', advice, async () => {
      const { rows } = await db.execute<{ version: string }>(
        sql`select current_setting('server_version') as version`,
      );
      return `embedded PostgreSQL ${rows[0]?.version ?? ''}; it responds, and its tables are those of this version`;
    }),
  ];
}

/**
 * Checks a PostgreSQL server without changing it: unlike other commands, it runs no migration.
 *
 * @param checkStored checks what the tables contain; called if the role may read them
 */
export async function checkPostgres(
  config: Config,
  checkStored: (db: Db) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { databaseUrl, migrationDatabaseUrl } = config;
  if (databaseUrl === null) return [];
  const settings = await findingOf('database', advice, async () => {
    const { takesLimits } = await requireSettings(databaseUrl, 'DATABASE_URL');
    if (migrationDatabaseUrl !== null) {
      await requireSameDatabase({ databaseUrl, migrationDatabaseUrl });
      await requireSettings(migrationDatabaseUrl, 'MIGRATION_DATABASE_URL');
    }
    const whose = takesLimits ? 'each connection asks for them' : 'the role has them';
    return `the connection works, the encoding is UTF8, and statements have limits of time: ${whose}`;
  });
  if (settings.state === 'wrong') return [settings];
  const client = await connect({ url: databaseUrl, setting: 'DATABASE_URL' });
  try {
    const checks: [string, () => Promise<Omit<Finding, 'about'> | string>][] = [
      ['database version', async () => await checkVersion(client, migrationDatabaseUrl)],
      ['database rights', async () => await checkRights(client, migrationDatabaseUrl !== null)],
      ['database clock', async () => await checkClock(client)],
      ['database connections', async () => await checkRoom(client)],
    ];
    const findings = [settings];
    for (const [about, check] of checks) findings.push(await findingOf(about, advice, check));
    const { may_read: mayRead } = await read(
      client,
      `has_table_privilege(to_regclass('settings'), 'select') as may_read`,
    );
    if (mayRead === true)
      findings.push(...(await checkStored(drizzle(client, { schema: tables }))));
    return findings;
  } finally {
    await client.end();
  }
}

async function read(client: pg.Client, expressions: string, values: unknown[] = []) {
  const { rows } = await client.query<Record<string, unknown>>(`select ${expressions}`, values);
  return rows[0] ?? {};
}

/** Only the role that migrates may read which migrations have run. */
async function checkVersion(client: pg.Client, migrationUrl: string | null) {
  const found = await read(client, `current_setting('server_version') as version`);
  const server = `PostgreSQL ${String(found['version'])}`;
  const owner =
    migrationUrl === null
      ? client
      : await connect({ url: migrationUrl, setting: 'MIGRATION_DATABASE_URL' });
  try {
    return (await checkRecordedMigrations((text) => owner.query(text)))
      ? `${server}; the tables are not newer than this version`
      : wrong(
          `${server}, without an installation. Check DATABASE_URL, or start the service once to create it.`,
        );
  } catch (error) {
    if (migrationUrl !== null || errorCode(error) !== sqlstate.insufficientPrivilege) throw error;
    return wrong(
      `${server}; the role in DATABASE_URL may not read which migrations have run. Set MIGRATION_DATABASE_URL to the role that owns the tables.`,
    );
  } finally {
    if (owner !== client) await owner.end();
  }
}

async function checkRights(client: pg.Client, hasMigrationUrl: boolean) {
  const names = Object.values(tables).flatMap((table) =>
    is(table, PgTable) ? [getTableName(table)] : [],
  );
  const { missing, may_create: mayCreate } = await read(
    client,
    `(select string_agg(name, ', ') from unnest($1::text[]) as name
       where to_regclass(quote_ident(name)) is not null
         and not has_table_privilege(quote_ident(name), 'select')) as missing,
     has_schema_privilege('public', 'create') as may_create`,
    [names],
  );
  if (typeof missing === 'string') {
    return wrong(
      `The role in DATABASE_URL may not read ${missing}. Start the service once with MIGRATION_DATABASE_URL, which grants the rights, or use the role that owns the tables.`,
    );
  }
  if (hasMigrationUrl) return 'the role may read all tables; the one that migrates is another';
  if (mayCreate === true) {
    return note(
      'One role owns the tables and runs the service, so it could change audit entries. To prevent that, set MIGRATION_DATABASE_URL (docs/security/for-operators.md, "Two database roles").',
    );
  }
  return wrong(
    'The role in DATABASE_URL may not create tables, so the next upgrade would fail. Set MIGRATION_DATABASE_URL to a role that may, or grant it: grant create on schema public to …',
  );
}

async function checkClock(client: pg.Client) {
  const before = Date.now();
  const { now } = await read(
    client,
    '(extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  );
  return describeClockSkew(Math.round(Number(now) - (before + Date.now()) / 2));
}

export function describeClockSkew(skewMs: number) {
  return Math.abs(skewMs) > maxSkewMs
    ? wrong(
        `The clock of the database server differs by ${Math.round(skewMs / 1000)} seconds from the one of this machine. Synchronize both (NTP).`,
      )
    : `differs by ${Math.abs(skewMs)} ms from the one of this machine`;
}

async function checkRoom(client: pg.Client) {
  const found = await read(
    client,
    `current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int as max,
     (select count(*)::int from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()
         and application_name not like 'conversation-service%') as others`,
  );
  return describeConnections({ max: Number(found['max']), others: Number(found['others']) });
}

/** @param room the connections that the server allows, and those that other programs use */
export function describeConnections({ max, others }: { max: number; others: number }) {
  const processes = Math.floor((max - others) / connectionsOfProcess);
  const used = `The server has room for ${max} connections, and other programs use ${others}`;
  return processes < 1
    ? wrong(
        `${used}; a process of the service needs up to ${connectionsOfProcess}. Raise max_connections, or end the others.`,
      )
    : `${used}: enough for ${processes} ${processes === 1 ? 'process' : 'processes'} of the service`;
}
