import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { sqlstate } from '../../sqlstate.ts';
import { tables } from '../schema/tables.ts';
import { withLockedClient } from './with-locked-client.ts';

const { accounts, auditEntries, auditHeads, deskSearches } = tables;

/** Rights that the running role does not get: removing an account would remove its audit log. */
const withheld: readonly { table: PgTable; rights: readonly string[] }[] = [
  { table: auditEntries, rights: ['update', 'delete', 'truncate'] },
  { table: auditHeads, rights: ['delete', 'truncate'] },
  { table: accounts, rights: ['delete', 'truncate'] },
  { table: deskSearches, rights: ['update', 'delete', 'truncate'] },
];

const allRights = ['select', 'insert', 'update', 'delete'];

/**
 * Grants the role of DATABASE_URL the rights that the service needs, and revokes the rights to
 * change or remove audit entries and the record of desk searches, and to create functions. Only the
 * role of MIGRATION_DATABASE_URL keeps those. Does nothing if both are the same role, and leaves
 * tables of others alone.
 *
 * Rights do not restrict a role that owns the tables or may act as their owner: a warning is
 * logged.
 *
 * @throws ConnectFailure
 */
export async function grantRights(options: {
  migrationDatabaseUrl: string;
  pool: pg.Pool;
  log: Logger;
}): Promise<void> {
  const { migrationDatabaseUrl: url, pool, log } = options;
  const role = await currentRole(pool);
  const setting = 'MIGRATION_DATABASE_URL';
  await withLockedClient({ url, setting, lock: 'grantRights', log }, async (client) => {
    if ((await currentRole(client)) === role) return;
    if (await needsChange(client, role)) {
      await runAsFarAsAllowed(client, rightsStatements(client.escapeIdentifier(role)), log);
    }
    if (await mayChangeEntries(client, role)) {
      log.warn(
        { role },
        'the role of DATABASE_URL owns the table of audit entries, or has its owner’s rights, so it can change them',
      );
    }
    if (await mayCreate(client, role)) {
      log.warn(
        { role },
        'the role of DATABASE_URL may create functions in the schema public, and the role of MIGRATION_DATABASE_URL could run one by mistake. As an administrator, make that second role the owner of the schema, and start again.',
      );
    }
  });
}

/** The statements of `grantRights`, for a role whose name is escaped as an identifier. */
export function rightsStatements(role: string): string[] {
  const { grants, revocations } = wantedRights();
  return [
    `grant usage on schema public to ${role}`,
    ...grants.map(({ table, rights }) => `grant ${rights.join(', ')} on ${table} to ${role}`),
    `grant usage on sequence audit_entries_id_seq to ${role}`,
    ...revocations.map(
      ({ table, rights }) => `revoke ${rights.join(', ')} on ${table} from ${role}, public`,
    ),
    // A function whose types fit better than those of a built-in one of the same name is called in
    // its place, with the rights of its caller. Until PostgreSQL 14, everyone could create
    // functions, and databases that were upgraded since keep that.
    `revoke create on schema public from ${role}, public`,
  ];
}

/** If the role may create tables but does not own the existing ones, their rights stay. */
async function runAsFarAsAllowed(
  client: pg.Client,
  statements: readonly string[],
  log: Logger,
): Promise<void> {
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== sqlstate.insufficientPrivilege) {
      throw error;
    }
    log.warn(
      { err: error },
      'the role of MIGRATION_DATABASE_URL may not grant rights on the tables, so they stay as they are',
    );
  }
}

function wantedRights() {
  const grants = Object.values(tables).map((table: PgTable) => {
    const without = withheld.find((rule) => rule.table === table)?.rights ?? [];
    return {
      table: getTableName(table),
      rights: allRights.filter((right) => !without.includes(right)),
    };
  });
  const revocations = withheld.map(({ table, rights }) => ({ table: getTableName(table), rights }));
  return { grants, revocations };
}

/** Usually the rights are already right, and the catalog is not changed. */
async function needsChange(client: pg.Client, role: string): Promise<boolean> {
  const { grants, revocations } = wantedRights();
  const wanted = [
    ...grants.map((rule) => ({ ...rule, is_granted: true })),
    ...revocations.map((rule) => ({ ...rule, is_granted: false })),
  ].flatMap(({ table, rights, is_granted }) =>
    rights.map((right) => ({ table, right, is_granted })),
  );
  const { rows } = await client.query<{ needs_change: boolean }>(
    `select not has_schema_privilege($1, 'public', 'usage')
       or has_schema_privilege($1, 'public', 'create')
       or not has_sequence_privilege($1, 'audit_entries_id_seq', 'usage')
       or exists (
         select from json_to_recordset($2::json)
           as wanted ("table" text, "right" text, is_granted boolean)
         where has_table_privilege($1, wanted."table", wanted."right") <> wanted.is_granted
       ) as needs_change`,
    [role, JSON.stringify(wanted)],
  );
  return rows[0]?.needs_change === true;
}

async function mayChangeEntries(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may_change: boolean }>(
    `select has_table_privilege($1, oid, 'update, delete, truncate')
       or pg_has_role($1, relowner, 'member') as may_change
     from pg_class where oid = 'audit_entries'::regclass`,
    [role],
  );
  return rows[0]?.may_change === true;
}

async function mayCreate(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may_create: boolean }>(
    `select has_schema_privilege($1, 'public', 'create') as may_create`,
    [role],
  );
  return rows[0]?.may_create === true;
}

async function currentRole(connection: pg.Client | pg.Pool): Promise<string> {
  const { rows } = await connection.query<{ role: string }>('select current_user as role');
  const role = rows[0]?.role;
  if (role === undefined) throw new Error('The database names no role.');
  return role;
}
