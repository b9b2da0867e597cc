import { expect, test } from 'vitest';
import type { Outgoing } from './attempt.ts';
import { BulkRate } from './bulk-rate.ts';
import { Dispatcher } from './dispatcher.ts';
import { HeldLane } from './held-lane.ts';
import { InFlightBudget } from './in-flight-budget.ts';
import { LaneWindow } from './lane-window.ts';

const start = Date.parse('2026-11-20T12:00:00Z');

test('a burst that waits for itself does not slow down what has a backlog', async () => {
  let elapsedMs = 0;
  const now = () => new Date(start + elapsedMs);
  const rate = new BulkRate(() => elapsedMs);
  const usual = rate.perSecond;
  const sent: Outgoing[] = [];
  const dispatcher = new Dispatcher({
    sender: {
      async send(outgoing) {
        sent.push(outgoing);
        elapsedMs += 10;
        return {
          startedAt: now(),
          durationMs: 10,
          firstByteMs: 10,
          requestHeaders: {},
          response: null,
          error: null,
        };
      },
      close: async () => undefined,
    },
    budget: new InFlightBudget(100),
    rate,
    now,
    result: () => 'success',
    // Meanwhile another lane sends of its backlog.
    room: () => void rate.take(),
    onError: (error) => {
      throw error;
    },
  });
  const lane = laneOf(100);
  dispatcher.pump(lane);
  await expect.poll(() => sent.length).toBe(100);
  await dispatcher.stop();
  expect(rate.perSecond).toBe(usual);
});

/** With so many deliveries that came due at the start, all at once. */
function laneOf(count: number): HeldLane {
  const taken = {
    webhookId: 1,
    accountId: crypto.randomUUID(),
    lease: 1,
    isFailing: false,
    url: 'https://receiver.example.com/',
    secrets: [],
    deliveries: Array.from({ length: count }, (_, index) => ({
      eventId: index + 1,
      dueAt: new Date(start),
      attemptCount: 0,
      tries: 0,
      isTest: false,
      replayUuid: null,
      event: { uuid: crypto.randomUUID(), payload: '{}' },
    })),
  };
  const lane = new HeldLane(taken, new LaneWindow(false));
  lane.accept(taken, { room: count + 1, now: new Date(start) });
  return lane;
}
