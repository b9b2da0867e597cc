import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { matchesFilter, type AuditEntryFilter } from './store.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, account } = useApi();
const first = Date.parse('2026-01-01T00:00:00Z');
const count = 20_000;

/** An account with one entry a minute. Only the oldest have another actor, action and target. */
beforeAll(async () => {
  await ctx.db.execute(sql`
    insert into audit_entries (account_id, at, actor, action, target)
    select ${account.id}, ${new Date(first).toISOString()}::timestamptz + n * interval '1 minute',
      case when n < 10 then '{"kind":"api_key","id":"rare","name":"Rare"}'::jsonb
        else '{"kind":"person","id":"usual","name":"Usual"}'::jsonb end,
      case when n < 10 then 'webhook.created' else 'session.created' end,
      case when n < 10 then '{"kind":"webhook","id":"rare","name":"Rare"}'::jsonb
        else '{"kind":"person","id":"usual","name":"Usual"}'::jsonb end
    from generate_series(0, ${count - 1}::int) n
  `);
  await ctx.db.execute(sql`analyze audit_entries`);
});

type Plan = {
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  Plans?: Plan[];
};

/** How many entries are read for the first page under a filter. */
async function countReads(filter: AuditEntryFilter): Promise<number> {
  const { rows } = await ctx.db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`
    explain (analyze, format json)
    select id from audit_entries where ${matchesFilter(account.id, filter)}
    order by id desc limit 51
  `);
  const [explained] = rows;
  const sum = (plan: Plan): number =>
    (plan['Actual Rows'] ?? 0) +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan.Plans ?? []).reduce((total, below) => total + sum(below), 0);
  const [{ Plan: plan }] = explained?.['QUERY PLAN'] ?? [{ Plan: {} }];
  return sum(plan);
}

const at = (minutes: number) => new Date(first + minutes * minuteMs);

test.each<[string, AuditEntryFilter]>([
  ['an actor', { actor: 'rare' }],
  ['a kind of actor', { actor: 'api_key' }],
  ['an actor who did nothing', { actor: 'nobody' }],
  ['an action', { action: 'webhook.created' }],
  ['a group of actions', { action: 'webhook' }],
  ['a target', { targets: ['rare'] }],
  ['several targets', { targets: ['rare', 'nothing', 'nobody'] }],
  ['an hour long ago', { since: at(60), until: at(120) }],
  ['the time since yesterday', { since: at(count + 60) }],
  ['an hour long ago and an actor', { since: at(600), until: at(660), actor: 'usual' }],
])('the first page of %s is read without the rest of the log', async (_, filter) => {
  // 51 entries, plus an hour on both sides of a time window. Each entry counts once for each plan
  // step.
  expect(await countReads(filter)).toBeLessThan(600);
});
