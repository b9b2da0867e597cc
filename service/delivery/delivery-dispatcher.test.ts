import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Budget } from '../concurrency/budget.ts';
import { BulkRate } from './fairness/bulk-rate.ts';
import { DeliveryDispatcher } from './delivery-dispatcher.ts';
import { HeldLane } from './held-lane.ts';
import { LaneWindow } from './fairness/lane-window.ts';
import { Sockets } from './fairness/sockets.ts';

const start = Date.parse('2026-11-20T12:00:00Z');

/** A dispatcher whose attempts end when the test decides; `sent` lists their URLs in order. */
function dispatching(limits = { sockets: 1000, socketsPerOrigin: 1000 }) {
  const sent: string[] = [];
  let respond: () => Promise<number> = async () => 10;
  const clock = { elapsedMs: 0 };
  const now = () => new Date(start + clock.elapsedMs);
  const rate = new BulkRate(() => clock.elapsedMs);
  const dispatcher: DeliveryDispatcher = new DeliveryDispatcher({
    sender: {
      async send({ url }) {
        sent.push(url);
        return {
          startedAt: now(),
          durationMs: await respond(),
          firstByteMs: 10,
          requestHeaders: {},
          response: null,
          error: null,
        };
      },
      close: async () => undefined,
    },
    sockets: new Sockets(limits),
    rate,
    now,
    beginSpan: () => null,
    onResult: () => 'success',
    onCapacity: () => undefined,
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => dispatcher.stop());
  return {
    dispatcher,
    sent,
    clock,
    rate,
    respondWith: (chosen: typeof respond) => (respond = chosen),
  };
}

test('a burst that waits behind its own deliveries does not slow down lanes with a backlog', async () => {
  const { dispatcher, sent, clock, rate, respondWith } = dispatching();
  const usual = rate.perSecond;
  respondWith(async () => {
    clock.elapsedMs += 10;
    // In the meantime, another lane sends a delivery of its backlog.
    rate.take('fast');
    return 10;
  });
  dispatcher.pump(laneOf('a', { count: 100 }));
  await expect.poll(() => sent.length).toBe(100);
  expect(rate.perSecond).toBe(usual);
});

describe('an attempt begins', () => {
  test('soon, however many deliveries others have queued: accounts take turns, then their lanes', async () => {
    const { dispatcher, sent } = dispatching();
    for (let number = 1; number <= 50; number += 1) {
      dispatcher.pump(laneOf('a', { path: `a${number}`, count: 100 }));
    }
    await until(() => sent.length > 500);
    const startsBefore = async (account: string) => {
      const from = sent.length;
      dispatcher.pump(laneOf(account, { path: 'next' }));
      await until(() => sent.includes('https://a.example/next', from));
      return sent.indexOf('https://a.example/next', from) - from;
    };
    expect(await startsBefore('b')).toBeLessThanOrEqual(1);
    expect(await startsBefore('a')).toBeLessThanOrEqual(50);
    expect(sent.length).toBeLessThan(4000);
  });

  test('in short turns of the event loop, however many deliveries are queued', async () => {
    const { dispatcher, sent, respondWith } = dispatching();
    const ended = Promise.withResolvers<number>();
    respondWith(() => ended.promise);
    const perTurn: number[] = [];
    for (let number = 1; number <= 80; number += 1) dispatcher.pump(laneOf('a', { count: 2 }));
    for (let before = -1; sent.length > before;) {
      before = Math.max(before, sent.length);
      await setImmediate();
      perTurn.push(sent.length - before);
    }
    expect(sent).toHaveLength(160);
    expect(Math.max(...perTurn)).toBe(16);
    ended.resolve(10);
  });

  test('immediately while other lanes wait for sockets, and theirs as soon as sockets are free again', async () => {
    const { dispatcher, sent, respondWith } = dispatching({ sockets: 16, socketsPerOrigin: 16 });
    const waiting: (() => void)[] = [];
    respondWith(
      () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(13_000));
        }),
    );
    for (let number = 1; number <= 20; number += 1) {
      dispatcher.pump(laneOf('a', { path: `slow${number}`, count: 2 }));
    }
    await until(() => sent.length === 10);
    dispatcher.pump(laneOf('b', { path: 'other' }));
    await until(() => sent.length === 11);
    expect(sent.at(-1)).toBe('https://a.example/other');
    await until(() => {
      for (const end of waiting.splice(0)) end();
      return sent.length === 41;
    });
    // Every slow lane had a first turn before any had a second one.
    expect(new Set(sent.filter((url) => url.includes('slow')).slice(0, 20)).size).toBe(20);
    for (const end of waiting.splice(0)) end();
  });
});

/** Looks once in each turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** A lane with this many deliveries, which all came due at `start`. */
function laneOf(accountId: string, { path = '', count = 1 } = {}): HeldLane {
  const taken = {
    webhookId: 1,
    accountId,
    lease: 1,
    isFailing: false,
    url: `https://a.example/${path}`,
    sealed: { secrets: [], headers: {} },
    maxPerSecond: null,
    idleMs: null,
    deliveries: Array.from({ length: count }, (_, index) => ({
      eventId: index + 1,
      dueAt: new Date(start),
      attemptCount: 0,
      tries: 0,
      internalErrors: 0,
      isRequested: false,
      scheduledAt: null,
      isTest: false,
      replayUuid: null,
      event: { uuid: crypto.randomUUID(), payload: '{}', traceParent: null },
    })),
  };
  const lane = new HeldLane(taken, {
    window: new LaneWindow(false),
    memory: new Budget({ capacity: 1_000_000 }),
  });
  lane.accept(taken, { maxDeliveries: count + 1, bytes: 1_000_000, now: new Date(start) });
  return lane;
}
