import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { useApi } from '../../testing/use-api.ts';
import {
  createMigratedPostgres,
  createPostgresDatabase,
  queryPostgres,
  runningUrl,
} from '../../testing/databases/postgres-database.ts';
import { replaceInAddress } from '../../testing/databases/postgres-address.ts';
import { TestLog } from '../../testing/logger.ts';
import { History } from '../../testing/records/history.ts';
import { verifyChain } from '../../domain/audit/chain/verify-chain.ts';
import { applyAuditRetention } from '../../domain/retention/apply-retention.ts';
import { openDatabase } from '../open.ts';
import { auditEntries } from '../schema/audit.ts';
import { rightsStatements } from './grant-rights.ts';

describe('the role of DATABASE_URL, if MIGRATION_DATABASE_URL has another one', () => {
  const { ctx, api, account: first } = useApi({ engine: 'postgresql' });
  beforeAll(async () => {
    await first.key();
  });

  test.each([
    `update audit_entries set action = 'nothing'`,
    `delete from audit_entries`,
    `truncate audit_entries`,
    `delete from audit_heads`,
    `truncate audit_heads`,
    `update desk_searches set search = null`,
    `delete from desk_searches`,
    `truncate desk_searches`,
    `delete from accounts`,
    `truncate accounts cascade`,
    `alter table audit_entries disable trigger all`,
    `drop table audit_entries`,
    `create or replace function refuse_audit_change() returns trigger language plpgsql as ''`,
    `set session_replication_role = replica`,
  ])('may not: %s', async (statement) => {
    const before = await ctx.db.$count(auditEntries);
    const refused = ctx.db.transaction(async (tx) => {
      // The trigger requires this setting, but the setting gives no right.
      await tx.execute(
        sql`select set_config('conversation_service.retention', 'checkpoint', true)`,
      );
      await tx.execute(sql.raw(statement));
    });
    await expect(refused).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^permission denied|^must be owner/) as string },
    });
    expect(await ctx.db.$count(auditEntries)).toBe(before);
  });

  test('writes audit entries, while retention still works', async () => {
    const account = await api.account();
    const { token } = await account.key();
    const history = new History(ctx, account.id);
    await history.addAuditEntries({ daysOld: 401, count: 3 });
    await history.addAuditEntries({ daysOld: 1, count: 2 });
    ctx.clock.advance(401 * dayMs);
    await applyAuditRetention(ctx, () => Promise.resolve(true));
    expect(await verifyChain(ctx, account.id)).toMatchObject({ entries: 0, faultCount: 0 });
    expect(await ctx.db.$count(auditEntries, eq(auditEntries.accountId, account.id))).toBe(0);
    expect((await api.call('GET', '/api/v1/api-keys', { token })).status).toBe(200);
    await account.key();
    expect(await verifyChain(ctx, account.id)).toMatchObject({ entries: 1, faultCount: 0 });
  });
});

describe('a warning is logged for a role that the rights do not restrict:', () => {
  test.each([
    ['the owner of the table', 'alter table audit_entries owner to test_running'],
    ['a member of its owner', 'grant postgres to test_running'],
  ])('%s', async (_, statement) => {
    const database = await createMigratedPostgres();
    const [owner] = await queryPostgres(database.url, 'select quote_ident(current_user) as name');
    const name = String(owner?.['name']);
    await queryPostgres(database.url, statement.replace('postgres', name));
    try {
      expect(await messagesOfStart(database.url)).toContainEqual(
        expect.stringContaining('owns the table of audit entries'),
      );
    } finally {
      await queryPostgres(database.url, `revoke ${name} from test_running`);
      await database.drop();
    }
  });

  test('no warning is logged for any other role', async () => {
    const database = await createMigratedPostgres();
    expect(await messagesOfStart(database.url)).toEqual([]);
    await database.drop();
  });
});

describe('the right to create functions, which the owner’s statements would run,', () => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  beforeEach(async () => {
    database = await createMigratedPostgres();
  });
  afterEach(() => database.drop());

  test('is revoked: databases that were created by PostgreSQL 14 or older give it to everyone', async () => {
    await queryPostgres(database.url, 'grant create on schema public to public');
    expect(await messagesOfStart(database.url)).toEqual([]);
    const right = `select has_schema_privilege('test_running', 'public', 'create') as may`;
    expect(await queryPostgres(database.url, right)).toEqual([{ may: false }]);
  });

  test('causes a warning if the role keeps it, as a member of another role', async () => {
    await queryPostgres(database.url, 'create role test_creators');
    try {
      await queryPostgres(
        database.url,
        'grant create on schema public to test_creators; grant test_creators to test_running',
      );
      expect(await messagesOfStart(database.url)).toEqual([
        expect.stringContaining('may create functions in the schema public'),
      ]);
    } finally {
      await queryPostgres(database.url, 'drop owned by test_creators; drop role test_creators');
    }
  });
});

/** The log messages of a service that starts on a database that its role does not own. */
async function messagesOfStart(ownersUrl: string): Promise<string[]> {
  const log = new TestLog();
  const config = {
    databaseUrl: await runningUrl(ownersUrl),
    migrationDatabaseUrl: ownersUrl,
    dataDir: '',
  };
  await (await openDatabase({ config, log: log.logger })).close();
  return log.entries.map(({ msg }) => msg);
}

test('a table in the same database that is not the service’s is left alone', async () => {
  const database = await createPostgresDatabase();
  await queryPostgres(database.url, 'create table ledger (amount int)');
  await messagesOfStart(database.url);
  const rows = await queryPostgres(
    database.url,
    `select has_table_privilege('test_running', 'ledger', 'select') as reads,
       has_table_privilege('test_running', 'audit_entries', 'insert') as writes`,
  );
  expect(rows).toEqual([{ reads: false, writes: true }]);
  await database.drop();
});

describe('docs/security/for-operators.md', () => {
  const url = new URL('../../../docs/security/for-operators.md', import.meta.url);
  const chapter = readFileSync(url, 'utf8');
  const blockOf = (start: string) =>
    new RegExp(`\`\`\`\\w+\n(${start}[^]*?)\`\`\``).exec(chapter)?.[1] ?? '';

  test('lists the same statements, which PostgreSQL accepts', async () => {
    const written = blockOf('grant');
    const listed = written.split(';').map((statement) => statement.trim().replaceAll(/\s+/g, ' '));
    expect(listed).toEqual(
      expect.arrayContaining(rightsStatements('app').filter((text) => text.startsWith('revoke'))),
    );
    const database = await createMigratedPostgres();
    await runningUrl(database.url);
    await queryPostgres(database.url, written.replaceAll(/\bapp\b/g, 'test_running'));
    await database.drop();
  });

  const hasCommands = spawnSync('createuser', ['--version']).error === undefined;

  test.skipIf(!hasCommands)(
    'makes two roles and a database on which a service starts',
    async () => {
      const server = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
      const password = randomUUID();
      const name = `test_${password.slice(0, 8)}`;
      const env = {
        ...process.env,
        PGHOST: server.host,
        PGPORT: String(server.port),
        PGUSER: server.user,
        PGPASSWORD: typeof server.password === 'string' ? server.password : '',
      };
      const options = {
        env,
        // Each role is asked for its password twice; without a terminal, on the standard input.
        input: `${password}\n`.repeat(4),
        detached: true,
        encoding: 'utf8',
      } as const;
      const commands = blockOf('createuser').replaceAll('conversations', name);
      const made = spawnSync('sh', ['-ec', commands], options);
      onTestFinished(() => {
        const dropped = `dropdb ${name}; dropuser ${name}; dropuser ${name}_owner`;
        expect(spawnSync('sh', ['-ec', dropped], options).status).toBe(0);
      });
      expect(made.status, made.stderr).toBe(0);
      const as = (user: string) =>
        replaceInAddress(process.env['TEST_DATABASE_URL'] ?? '', {
          database: name,
          user,
          password,
        });
      const config = {
        databaseUrl: as(name),
        migrationDatabaseUrl: as(`${name}_owner`),
        dataDir: '',
      };
      const log = new TestLog();
      await (await openDatabase({ config, log: log.logger })).close();
      expect(log.entries).toEqual([]);
    },
  );
});
