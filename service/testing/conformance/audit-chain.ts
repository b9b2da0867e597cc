import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { readAdminCommand } from '../../admin/commands.ts';
import type { AdminOutcome } from '../../admin/outcome.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { auditEntries, auditHeads } from '../../db/schema/audit.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';
import { applyAuditRetention } from '../../domain/retention/apply-retention.ts';
import { removeOldestEntries } from '../../domain/audit/remove-oldest-entries.ts';
import { useApi } from '../use-api.ts';

const by = { kind: 'system' as const, id: null, name: 'Test' };

/** What verifying the chain of audit entries finds, on either database. */
export function describeAuditChain(engine: OpenDatabase['engine']): void {
  describe(`the chain of audit entries on ${engine}`, () => {
    const { ctx, api, account } = useApi({ engine, accountFor: 'test' });
    /** The ids of its five entries. */
    let ids: number[];

    beforeEach(async () => {
      for (let count = 1; count <= 5; count += 1) await write({ count });
      ids = (await entries()).map(({ id }) => id);
    });

    async function write(changes: Record<string, unknown>): Promise<void> {
      await ctx.db.transaction((tx) =>
        recordAudit(tx, {
          accountId: account.id,
          by,
          origin: { ip: '203.0.113.7', userAgent: 'test', requestId: 'r' },
          action: 'account.updated',
          at: ctx.clock.now(),
          target: { kind: 'test', id: '1', name: 'Grüße "1"' },
          changes,
        }),
      );
    }

    async function entries() {
      return await ctx.db.query.auditEntries.findMany({
        where: eq(auditEntries.accountId, account.id),
        orderBy: auditEntries.id,
      });
    }

    /** Changes rows like someone who owns the database, without any trigger. */
    async function tamper(...statements: SQL[]): Promise<void> {
      await ctx.database.maintenanceDb.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        for (const statement of statements) await tx.execute(statement);
      });
    }

    async function verify(...args: string[]): Promise<AdminOutcome> {
      const command = readAdminCommand(['verify-audit', ...args]);
      if (typeof command !== 'function') throw new Error(command.text);
      return await command(ctx);
    }

    async function faults(): Promise<string[]> {
      const { exitCode, text } = await verify(account.id);
      const lines = text.split('\n').filter((line) => line.startsWith('  '));
      expect(exitCode).toBe(lines.length > 0 ? 1 : 0);
      return lines.map((line) => line.trim());
    }

    const whereId = (index: number) =>
      sql`account_id = ${account.id} and id = ${ids[index] ?? null}`;

    test('is intact as the service writes it, no matter what the changes are', async () => {
      await write({ z: 1, a: [1.5, 1e21, -0, { y: null, b: 'ü', 10: 1, 9: 2 }], none: undefined });
      const { exitCode, text } = await verify(account.id);
      expect(exitCode).toBe(0);
      expect(text).toMatch(new RegExp(`^${account.id} .*: ok, 6 entries, end 6 [0-9a-f]{16}$`));
    });

    test.each([
      ['action', sql`action = 'test.undone'`],
      ['actor', sql`actor = '{"kind":"system","id":null,"name":"Else"}'`],
      ['target', sql`target = jsonb_set(target, '{id}', '"2"')`],
      ['changes', sql`changes = '{"count":7}'`],
      ['time', sql`at = at + interval '1 millisecond'`],
      ['address', sql`ip = null`],
      ['client', sql`user_agent = 'else'`],
      ['request', sql`request_id = 'else'`],
      ['hash', sql`hash = decode(repeat('ab', 32), 'hex')`],
    ])('shows which entry has a different %s', async (_, change) => {
      await tamper(sql`update audit_entries set ${change} where ${whereId(2)}`);
      expect(await faults()).toEqual([`changed: entry ${ids[2]}, number 3`]);
    });

    test('shows which entries are missing, in the middle and at both ends', async () => {
      await tamper(sql`delete from audit_entries where ${whereId(1)} or ${whereId(2)}`);
      expect(await faults()).toEqual(['missing: numbers 2 to 3']);
      await tamper(sql`delete from audit_entries where ${whereId(4)}`);
      expect(await faults()).toEqual(['missing: numbers 2 to 3', 'missing at the end: number 5']);
      await tamper(sql`delete from audit_entries where ${whereId(0)}`);
      expect(await faults()).toContain('missing: numbers 1 to 3');
      await tamper(sql`delete from audit_entries where account_id = ${account.id}`);
      expect(await faults()).toEqual(['missing at the end: numbers 1 to 5']);
    });

    test('shows two entries that were swapped', async () => {
      const both = [`changed: entry ${ids[1]}, number 2`, `changed: entry ${ids[3]}, number 4`];
      const changed = sql`update audit_entries set changes =`;
      await tamper(
        sql`${changed} '{"count":4}' where ${whereId(1)}`,
        sql`${changed} '{"count":2}' where ${whereId(3)}`,
      );
      expect(await faults()).toEqual(both);
      await tamper(
        sql`${changed} '{"count":2}' where ${whereId(1)}`,
        sql`${changed} '{"count":4}' where ${whereId(3)}`,
      );
      expect(await faults()).toEqual([]);

      const placed = sql`update audit_entries set sequence =`;
      await tamper(
        sql`${placed} -1 where ${whereId(1)}`,
        sql`${placed} 2 where ${whereId(3)}`,
        sql`${placed} 4 where ${whereId(1)}`,
      );
      expect(await faults()).toEqual(
        expect.arrayContaining([
          `changed: entry ${ids[3]}, number 2`,
          `changed: entry ${ids[1]}, number 4`,
        ]),
      );
    });

    test.each([
      ['the hash of another', sql`hash`],
      ['no hash', sql`null`],
    ])('shows an entry that someone inserted with %s', async (_, hash) => {
      await tamper(
        sql`update audit_heads set sequence = 6 where account_id = ${account.id}`,
        sql`insert into audit_entries (account_id, at, actor, action, target, sequence, hash)
          select account_id, at, actor, action, target, 6, ${hash}
          from audit_entries where ${whereId(4)}`,
      );
      expect(await faults()).toEqual([
        expect.stringMatching(/^changed: entry \d+, number 6$/),
        'the head was changed, so entries may be missing at either end',
      ]);
    });

    test('shows an end that was cut off, even after more entries were written', async () => {
      await tamper(
        sql`delete from audit_entries where ${whereId(4)}`,
        sql`update audit_heads set sequence = 4, hash =
          (select hash from audit_entries where ${whereId(3)}) where account_id = ${account.id}`,
      );
      expect(await faults()).toEqual([
        'the head was changed, so entries may be missing at either end',
      ]);
      await write({ more: 1 });
      await write({ more: 2 });
      expect(await faults()).toEqual([
        'the head was changed or removed before number 5 was written, so entries may be missing before it',
      ]);
    });

    test('shows a head that was removed, even after more entries were written', async () => {
      await tamper(sql`delete from audit_heads where account_id = ${account.id}`);
      expect(await faults()).toEqual(['the head is missing, so entries may be missing at the end']);
      await write({ more: 1 });
      expect(await faults()).toEqual([
        'the head was changed or removed before number 6 was written, so entries may be missing before it',
      ]);
    });

    test('shows an older copy of the head', async () => {
      const old = await ctx.db.query.auditHeads.findFirst({
        where: eq(auditHeads.accountId, account.id),
      });
      await write({ more: 1 });
      await tamper(
        sql`update audit_heads set sequence = ${old?.sequence}, hash = ${old?.hash},
          seal = ${old?.seal} where account_id = ${account.id}`,
      );
      expect(await faults()).toEqual([
        'the head was changed, so entries may be missing at either end',
      ]);
    });

    test('stays intact when retention removes entries, and when the account is erased', async () => {
      ctx.clock.advance(200 * dayMs);
      await write({ younger: true });
      ctx.clock.advance(201 * dayMs);
      await applyAuditRetention(ctx, () => Promise.resolve(true));
      expect(await entries()).toHaveLength(1);
      expect(await faults()).toEqual([]);
      await write({ more: 1 });
      expect(await faults()).toEqual([]);
      await tamper(
        sql`delete from audit_entries where account_id = ${account.id} and sequence = 6`,
      );
      expect(await faults()).toEqual(['missing: number 6']);
      await ctx.maintenanceDb.transaction((tx) =>
        removeOldestEntries(tx, ctx.auditKeys, {
          accountId: account.id,
          limit: 10,
          now: ctx.clock.now(),
        }),
      );
      expect(await entries()).toEqual([]);
      expect(await faults()).toEqual([]);
    });

    test('shows entries outside it, which only a statement of someone else can add, and never takes them in', async () => {
      // As the role that runs the service can do, even where another role owns the tables.
      const insert = async (sequence: number | null, { daysOld }: { daysOld: number }) => {
        const { rows } = await ctx.db.execute<{ id: string }>(sql`
          insert into audit_entries (account_id, at, actor, action, target, sequence, hash)
          select account_id, at - ${daysOld} * interval '1 day', actor, action, target,
            ${sequence}::bigint, hash
          from audit_entries where account_id = ${account.id} order by id desc limit 1
          returning id`);
        return Number(rows[0]?.id);
      };
      const outside = [await insert(null, { daysOld: 0 }), await insert(0, { daysOld: 0 })];
      const found = outside.map((id) => `outside the chain: entry ${id}`);
      expect(await faults()).toEqual(found);
      await write({ more: 1 });
      expect(await faults()).toEqual(found);
      const reader = await account.key({ scopes: ['audit-log:read'] });
      const { body } = await reader.get('/api/v1/audit-log');
      const { data } = body as { data: { id: number; is_chained: boolean }[] };
      expect(data.filter((entry) => !entry.is_chained).map(({ id }) => id)).toEqual(
        outside.toReversed(),
      );

      // Retention removes them with the entries of their time, and the rest of the chain stays whole.
      ctx.clock.advance(399 * dayMs);
      await write({ younger: true });
      ctx.clock.advance(2 * dayMs);
      await applyAuditRetention(ctx, () => Promise.resolve(true));
      const behind = await insert(3, { daysOld: 500 });
      expect(await faults()).toEqual([`outside the chain: entry ${behind}`]);
      await applyAuditRetention(ctx, () => Promise.resolve(true));
      expect(await faults()).toEqual([]);
      expect(await entries()).toHaveLength(1);
    });

    test('stays intact during many concurrent writes, in the order of the ids', async () => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => write({ index })));
      expect(await faults()).toEqual([]);
      const written = await entries();
      expect(written.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 45 }, (_, index) => index + 1),
      );
    });

    test('has no place for the entry of a failed transaction', async () => {
      const failing = ctx.db.transaction(async (tx) => {
        await recordAudit(tx, {
          accountId: account.id,
          by,
          origin: null,
          action: 'account.deleted',
          at: ctx.clock.now(),
          target: { kind: 'test', id: '1', name: 'Test' },
        });
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      await write({ more: 1 });
      expect((await entries()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await faults()).toEqual([]);
    });

    test('is verified for all accounts, with one line for each', async () => {
      await api.account();
      const whole = await verify();
      expect(whole.text).toContain(`${account.id} `);
      await tamper(sql`update audit_entries set action = 'x' where ${whereId(0)}`);
      const { exitCode, text } = await verify();
      expect(exitCode).toBe(1);
      expect(text).toContain(`  changed: entry ${ids[0]}, number 1`);
      expect(text).toMatch(
        /The audit log of \d+ of \d+ accounts is not as the service wrote it\.$/,
      );
    });
  });
}
