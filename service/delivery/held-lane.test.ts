import { expect, test, vi } from 'vitest';
import { Budget } from '../concurrency/budget.ts';
import { HeldLane } from './held-lane.ts';
import { LaneWindow } from './fairness/lane-window.ts';

const now = new Date('2026-11-20T12:00:00Z');
const capacity = 1_000_000;
const asked = { maxDeliveries: 9, bytes: 100_000, now };

test('a delivery that is completed during a read is not sent again, though it was read as pending', () => {
  const { lane } = laneOf([1]);
  attempt(lane, 1, 10);
  lane.startOver();
  lane.beginTake();
  lane.forget(1);
  lane.accept(takenOf([1, 2]), asked);
  lane.endTake();
  attempt(lane, 2, 10);
  expect(lane.hasSomethingToSend()).toBe(false);

  // Queued again later, for example by a manual retry, it is a delivery like any other.
  lane.startOver();
  lane.beginTake();
  lane.accept(takenOf([1]), asked);
  lane.endTake();
  expect(lane.begin()?.eventId).toBe(1);
});

test('a notification that arrives during a read causes another read', () => {
  const { lane } = laneOf([1]);
  lane.startOver();
  lane.beginTake();
  lane.startOver();
  lane.accept(takenOf([1]), asked);
  lane.endTake();
  expect(lane.nextTake()).toMatchObject({ after: null });
});

test('deliveries that are read while their webhook changes are not sent, but read again', () => {
  const { lane } = laneOf([1]);
  lane.startOver();
  lane.beginTake();
  lane.readAgain();
  lane.accept(takenOf([1, 2]), asked);
  lane.endTake();
  expect(lane.hasSomethingToSend()).toBe(false);
  expect(lane.nextTake()).toMatchObject({ after: null, heldIds: [] });
});

test('deliveries that a lane already holds are left out when it is read from the beginning', () => {
  const { lane } = laneOf([1, 2, 3]);
  attempt(lane, 1, 10);
  lane.begin();
  lane.startOver();
  expect(lane.nextTake()).toMatchObject({ after: null, heldIds: [1, 2, 3] });
});

test('a lane continues after its last delivery if it got as many, or as many bytes, as it requested', () => {
  const after = { eventId: 3 };
  const nextTake = (size: { maxDeliveries?: number; bytes?: number }) => {
    const { lane } = laneOf([1, 2, 3], size);
    attempt(lane, 1, 10);
    return lane.nextTake();
  };
  expect(nextTake({})).toBe(null);
  expect(nextTake({ maxDeliveries: 3 })).toMatchObject({ after });
  expect(nextTake({ bytes: 5000 })).toMatchObject({ after });
});

test('a slow lane takes no more than it may send at a time', () => {
  const { lane } = laneOf([1, 2, 3, 4]);
  for (const eventId of [1, 2, 3, 4]) attempt(lane, eventId, 13_000);
  expect(lane.window.size).toBe(1);
  lane.startOver();
  expect(lane.nextTake()).toMatchObject({ maxDeliveries: 1 });
  lane.accept(takenOf([5, 6]), { ...asked, maxDeliveries: 2 });
  expect(lane.nextTake()).toBe(null);
  lane.begin();
  lane.dropQueue();
  expect(lane.nextTake()).toBe(null);
});

test('the bodies of a lane count until they are sent or dropped', () => {
  const { lane, held } = laneOf([1, 2, 3]);
  expect(held()).toBe(6000);
  const sent = lane.begin();
  expect(held()).toBe(6000);
  lane.dropQueue();
  expect(held()).toBe(2000);
  if (sent) lane.noteEnded(sent);
  expect(held()).toBe(0);
});

test('a paused lane holds no deliveries', () => {
  const { lane, held } = laneOf([1, 2, 3]);
  attempt(lane, 1, 15_000);
  lane.pause(2000);
  expect(lane.isPausing()).toBe(true);
  expect(held()).toBe(0);
  expect([lane.hasSomethingToSend(), lane.nextTake()]).toEqual([false, null]);
});

test('a lane that gets no memory requests no deliveries', () => {
  const { lane, memory } = laneOf([1]);
  lane.startOver();
  memory.add('another account', capacity);
  expect(lane.nextTake()).toBe('no memory');
  memory.add('another account', -capacity);
  expect(lane.nextTake()).toMatchObject({ bytes: 128 * 1024 });
});

test('a lane whose account has all it may have requests no deliveries, or one if it holds none', () => {
  const { lane, memory } = laneOf([1]);
  lane.startOver();
  memory.add('account', (capacity * 3) / 4);
  expect(lane.nextTake()).toBe('no memory');
  lane.dropQueue();
  expect(lane.nextTake()).toMatchObject({ bytes: 1 });
});

test('attempts of a lane with a limit per second begin at even intervals, also after another worker held it', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const taken = { ...takenOf([1, 2, 3]), maxPerSecond: 20, idleMs: 10 };
  const lane = new HeldLane(taken, {
    window: new LaneWindow(false),
    memory: new Budget({ capacity }),
  });
  lane.accept(taken, asked);
  const begun: number[] = [];
  for (let ms = 0; ms < 200; ms += 1) {
    const delivery = lane.hasSomethingToSend() ? lane.begin() : undefined;
    if (delivery) begun.push(ms);
    if (delivery) lane.noteEnded(delivery);
    vi.advanceTimersByTime(1);
  }
  expect(begun).toEqual([40, 90, 140]);
  vi.useRealTimers();
});

function laneOf(
  eventIds: readonly number[],
  size: { maxDeliveries?: number; bytes?: number } = {},
) {
  const memory = new Budget({ capacity });
  const taken = takenOf(eventIds);
  const lane = new HeldLane(taken, { window: new LaneWindow(false), memory });
  lane.accept(taken, { ...asked, ...size });
  return { lane, memory, held: () => capacity - memory.free };
}

/** Sends the delivery of this event, which must be the next; its response takes `durationMs`. */
function attempt(lane: HeldLane, eventId: number, durationMs: number): void {
  const delivery = lane.begin();
  expect(delivery?.eventId).toBe(eventId);
  if (delivery) lane.noteEnded(delivery);
  lane.window.note('success', durationMs);
}

function takenOf(eventIds: readonly number[]) {
  return {
    webhookId: 1,
    accountId: 'account',
    lease: 1,
    isFailing: false,
    url: 'https://receiver.example.com/',
    sealed: { secrets: [], headers: {} },
    maxPerSecond: null,
    idleMs: null,
    deliveries: eventIds.map((eventId) => ({
      eventId,
      dueAt: now,
      attemptCount: 0,
      tries: 0,
      internalErrors: 0,
      isRequested: false,
      scheduledAt: null,
      isTest: false,
      replayUuid: null,
      event: { uuid: `event ${eventId}`, payload: 'x'.repeat(2000), traceParent: null },
    })),
  };
}
