import { expect, test } from 'vitest';
import { claimLanes } from '../domain/lanes/claim-lanes.ts';
import { freeAllLeases } from '../domain/lanes/statements/free-all-leases.ts';
import { getWebhook } from '../domain/webhooks/read-webhooks.ts';
import { addWebhook, eventually, publish } from '../testing/delivery/delivery-worker.ts';
import { FailingDatabase, statementOf } from '../testing/databases/failing-database.ts';
import { useApi } from '../testing/use-api.ts';
import { Budget } from '../concurrency/budget.ts';
import { HeldLane } from './held-lane.ts';
import { LaneWindow } from './fairness/lane-window.ts';
import { toCompletedAttempt } from './outcome/to-completed-attempt.ts';
import { Completions } from './completions.ts';

const leaseMs = 30_000;
const size = { maxDeliveries: 8, bytes: 1_000_000 };

const { ctx, owner: actor } = useApi();

async function setUp() {
  const webhook = await addWebhook(ctx, actor);
  const owner = crypto.randomUUID();
  const lanes = new Map<number, HeldLane>();
  const database = new FailingDatabase(ctx.db);
  let written = 0;
  const completions = new Completions({
    ctx: { ...ctx, db: database.db },
    owner,
    leaseMs,
    collectMs: 0,
    releaseMs: 0,
    gapMs: 0,
    maxPerStatement: 500,
    lanes,
    onCompleted: () => (written += 1),
    isHeldUp: () => false,
    onError: (error) => expect.fail(String(error)),
  });
  async function hold(): Promise<HeldLane> {
    const { lanes: claimed } = await claimLanes(ctx, { owner, leaseMs, limit: 100, ...size });
    const taken = claimed.find(({ webhookId }) => webhookId === webhook.id);
    if (!taken) throw new Error('the lane was not due');
    const lane = new HeldLane(taken, {
      window: new LaneWindow(false),
      memory: new Budget({ capacity: size.bytes }),
    });
    lanes.set(lane.webhookId, lane);
    lane.accept(taken, { ...size, now: ctx.clock.now() });
    return lane;
  }
  return { webhook, lanes, database, completions, hold, written: () => written };
}

/** Sends the first delivery of a lane. @returns the attempt, once the receiver responded */
function attemptIn(lane: HeldLane, { statusCode }: { statusCode: number }) {
  const delivery = lane.begin();
  if (!delivery) throw new Error('nothing was due');
  lane.noteEnded(delivery);
  const result = {
    startedAt: ctx.clock.now(),
    durationMs: 1,
    firstByteMs: 1,
    requestHeaders: {},
    response: { statusCode, headers: {}, body: '', isTruncated: false },
    error: null,
  };
  return toCompletedAttempt(
    { lane, delivery, url: lane.url, result },
    { kind: statusCode === 410 ? 'gone' : 'delivered' },
  );
}

test('a late response of the database does not change a lane that was claimed again in the meantime', async () => {
  const { webhook, lanes, database, completions, hold, written } = await setUp();
  const completing = database.holdBackOnce(statementOf.complete);
  await publish(ctx, actor);
  const first = await hold();
  completions.add({ lane: first, attempt: attemptIn(first, { statusCode: 200 }) });
  await completing.reached;
  await publish(ctx, actor);
  const second = await hold();
  expect([second.lease, second.webhookId]).toEqual([first.lease + 1, webhook.id]);

  completing.letThrough();
  await eventually(written).toBe(1);
  expect(lanes.get(webhook.id)).toBe(second);
  expect([first.hasEnded, second.hasEnded, second.hasSomethingToSend()]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a late 410 under an earlier lease leaves the webhook active, although the worker holds its lane again', async () => {
  const { webhook, completions, hold, written } = await setUp();
  await publish(ctx, actor);
  const first = await hold();
  const late = attemptIn(first, { statusCode: 410 });
  await freeAllLeases(ctx);
  const second = await hold();

  completions.add({ lane: first, attempt: late });
  completions.renewOrRelease(second);
  await eventually(written).toBe(1);
  const { is_active: isActive } = await getWebhook(ctx, actor, { webhook: webhook.uuid });
  expect([isActive, second.hasEnded]).toEqual([true, false]);
});
