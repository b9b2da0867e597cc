import { beforeEach, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { History } from '../../testing/records/history.ts';
import { addAccount } from '../../testing/records/people.ts';
import { useContext } from '../../testing/use-api.ts';
import { applyAuditRetention } from './apply-retention.ts';

const ctx = useContext();
let history: History;
beforeEach(async () => {
  // All entries of the previous test are past the retention.
  ctx.clock.advance(2000 * dayMs);
  await apply();
  history = new History(ctx, await addAccount(ctx));
});

const proceed = () => Promise.resolve(true);
const apply = () => applyAuditRetention(ctx, proceed);

test('audit entries are removed after 400 days, those of each account separately', async () => {
  const other = new History(ctx, await addAccount(ctx));
  await history.addAuditEntries({ daysOld: 401, count: 700 });
  await history.addAuditEntries({ daysOld: 399, count: 2 });
  await other.addAuditEntries({ daysOld: 500, count: 1 });
  expect(await apply()).toBe(701);
  expect(await ctx.db.query.auditEntries.findMany()).toHaveLength(2);
  expect(await apply()).toBe(0);
});

test('audit entries are removed earlier if so configured', async () => {
  await history.addAuditEntries({ daysOld: 8, count: 1 });
  expect(await apply()).toBe(0);
  const brief = { ...ctx, config: { ...ctx.config, auditRetentionDays: 7 } };
  expect(await applyAuditRetention(brief, proceed)).toBe(1);
});

test('audit entries cannot be removed in any other way, not even right after', async () => {
  await history.addAuditEntries({ daysOld: 401, count: 1 });
  await history.addAuditEntries({ daysOld: 1, count: 1 });
  await apply();
  await expect(ctx.db.delete(auditEntries)).rejects.toThrow();
  expect(await ctx.db.query.auditEntries.findMany()).toHaveLength(1);
});
