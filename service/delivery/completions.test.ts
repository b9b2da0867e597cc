import { expect, test } from 'vitest';
import { claimLanes } from '../domain/lanes/claim-lanes.ts';
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

test('a late response of the database does not change a lane that was claimed again in the meantime', async () => {
  const webhook = await addWebhook(ctx, actor);
  const owner = crypto.randomUUID();
  const lanes = new Map<number, HeldLane>();
  const database = new FailingDatabase(ctx.db);
  const completing = database.holdBackOnce(statementOf.complete);
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
    const { lanes: claimed } = await claimLanes(ctx, { owner, leaseMs, limit: 1, ...size });
    const [taken] = claimed;
    if (!taken) throw new Error('no lane was due');
    const lane = new HeldLane(taken, {
      window: new LaneWindow(false),
      memory: new Budget({ capacity: size.bytes }),
    });
    lanes.set(lane.webhookId, lane);
    lane.accept(taken, { ...size, now: ctx.clock.now() });
    return lane;
  }

  await publish(ctx, actor);
  const first = await hold();
  const delivery = first.begin();
  if (!delivery) throw new Error('nothing was due');
  first.noteEnded(delivery);
  const result = {
    startedAt: ctx.clock.now(),
    durationMs: 1,
    firstByteMs: 1,
    requestHeaders: {},
    response: { statusCode: 200, headers: {}, body: '', isTruncated: false },
    error: null,
  };
  const attempt = toCompletedAttempt(
    { lane: first, delivery, url: first.url, result },
    { kind: 'delivered' },
  );
  completions.add({ lane: first, attempt });
  await completing.reached;
  await publish(ctx, actor);
  const second = await hold();
  expect([second.lease, second.webhookId]).toEqual([first.lease + 1, webhook.id]);

  completing.letThrough();
  await eventually(() => written).toBe(1);
  expect(lanes.get(webhook.id)).toBe(second);
  expect([first.hasEnded, second.hasEnded, second.hasSomethingToSend()]).toEqual([
    true,
    false,
    true,
  ]);
});
