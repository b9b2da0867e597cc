import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallLog } from '../domain/api-keys/calls/call-log.ts';
import { TokenUsage } from '../domain/api-keys/tokens/token-usage.ts';
import { MessageWrites, groupLimits } from '../domain/conversations/message-writes.ts';
import { LaneNotifier } from '../domain/lanes/lane-notifier.ts';
import { TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { explainStatements } from '../testing/databases/explain-statements.ts';
import { addDeskSupporter } from '../testing/http/test-desk.ts';
import { addAccountsToGrow, growDatabase } from '../testing/growth/grow-database.ts';
import { addSteadyAccount, doHotActs } from '../testing/growth/hot-acts.ts';
import type { HotAct, SteadyAccount } from '../testing/growth/hot-acts.ts';
import { unlimited } from '../testing/unlimited.ts';

// In an installation with many times as many events, deliveries and keys in a thousand accounts, a
// frequent statement must not touch more of the database. This test counts blocks, because times
// depend on the machine.

const [few, many] = [1000, 10_000];
/** To find a row takes one block more for each level that an index has grown by. */
const maxGrowth = { times: 1.3, rowsFound: 20 };
/** The act that reads all accounts at a time. It is rare, so it may be planned again. */
const readsAll = 'GET …/installation-status';
type Measured = HotAct | typeof readsAll;
const rowsFoundIn: Partial<Record<Measured, number>> = {
  // A page of 50 deliveries, and one that says whether more follow, each with its event and attempt.
  'GET /webhooks/…/deliveries': 51 * 2,
  'GET /webhooks/…/deliveries?follow=…': 51 * 2,
  // A page of 50 events, and one that says whether more follow, each with its delivery.
  'GET /events?with_outcomes=true': 51 * 2,
  // Each index of the event and of its deliveries: their rows are found for each entry that is added.
  'publish an event': 40,
};

let plain: TestContext;
let account: SteadyAccount;
let small: Map<Measured, number>;

beforeAll(async () => {
  plain = await createTestContext({ engine: 'postgresql' });
  account = await addSteadyAccount(plain);
  await addAccountsToGrow(plain);
  await growDatabase(plain, { from: 0, to: few });
  // With the plans of a large database: the planner reads a small table whole, which touches fewer
  // blocks.
  small = await touchedBlocks({ isPlannedAsLarge: true });
  await growDatabase(plain, { from: few, to: many });
}, 240_000);
afterAll(async () => {
  await plain.dispose();
});

test('hot statements touch as much of a large database as of a small one', async () => {
  const large = await touchedBlocks({ isPlannedAsLarge: false });
  for (const [what, blocks] of large) {
    const before = small.get(what) ?? 0;
    const rowsFound = rowsFoundIn[what] ?? maxGrowth.rowsFound;
    const max = before * maxGrowth.times + rowsFound;
    expect(blocks, `${what}: ${before} blocks before`).toBeLessThanOrEqual(max);
  }
});

// PostgreSQL plans a statement for each call as long as it expects a plan for the specific values
// to be cheaper than a generic plan.
test('a connection stops planning hot statements after a few calls, in a large database too', async () => {
  const ctx = { ...plain, limiter: unlimited };
  const doTimes = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await doHotActs(ctx, account, async (_, act) => await act());
    }
  };
  await doTimes(10);
  const before = await plannedStatements();
  await doTimes(2);
  const after = await plannedStatements();
  const plannedAgain = [...after].filter(([statement, times]) => times !== before.get(statement));
  expect(plannedAgain).toEqual([]);
  expect(after.size).toBeGreaterThan(10);
});

/**
 * For each prepared statement of the pool's connection, how often it was planned for specific
 * values.
 */
async function plannedStatements(): Promise<Map<string, number>> {
  const { rows } = await plain.db.execute<{ statement: string; times: number }>(sql`
    select statement, custom_plans::int as times from pg_prepared_statements`);
  return new Map(rows.map(({ statement, times }) => [statement, times]));
}

/** An insertion now and then also splits pages of indexes, or looks for a page with free space. */
const rounds = 3;

/** How many blocks the statements of each hot act touch: the fewest of some rounds. */
async function touchedBlocks({
  isPlannedAsLarge,
}: {
  isPlannedAsLarge: boolean;
}): Promise<Map<Measured, number>> {
  const handle = await explainStatements(plain.database);
  const { db, explained } = handle;
  await handle.planAsIfLarge(isPlannedAsLarge);
  const { clock, log } = plain;
  const laneNotifier = new LaneNotifier({ db, clock, log });
  const ctx = {
    ...plain,
    db,
    laneNotifier,
    messageWrites: new MessageWrites({ db, laneNotifier, limits: groupLimits.postgresql }),
    usage: new TokenUsage({ db, clock, log }),
    calls: new CallLog({ db, clock, log }),
  };
  const found = new Map<Measured, number>();
  const measure = async <Value>(what: Measured, act: () => Promise<Value>) => {
    explained.length = 0;
    const value = await act();
    expect(explained, what).not.toEqual([]);
    const touched = explained.reduce((sum, { blocks }) => sum + blocks, 0);
    found.set(what, Math.min(found.get(what) ?? Infinity, touched));
    return value;
  };
  const supporter = await addDeskSupporter(plain);
  const path = '/api/dashboard/support-desk/installation-status';
  for (let round = 1; round <= rounds; round += 1) {
    await doHotActs(ctx, account, measure);
    const response = await measure(readsAll, () => new TestApi(ctx).as(supporter).get(path));
    expect(response.status, response.text).toBe(200);
  }
  await handle.close();
  return found;
}
