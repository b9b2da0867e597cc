import { expect, test } from 'vitest';
import { HeldLane } from './held-lane.ts';
import { LaneWindow } from './lane-window.ts';

const now = new Date('2026-11-20T12:00:00Z');

test('what is written down while more is being taken is not sent again, though it was read as pending', () => {
  const lane = laneOf([1]);
  expect(lane.shift()?.eventId).toBe(1);
  lane.unsettled += 1;
  lane.startOver();
  lane.beginTake();
  lane.forget(1);
  lane.accept(takenOf([1, 2]), { room: 9, now });
  lane.endTake();
  expect(lane.shift()?.eventId).toBe(2);
  expect(lane.hasSomethingToSend()).toBe(false);

  // Queued again later, as a retry by hand does, it is a delivery like any other.
  lane.startOver();
  lane.beginTake();
  lane.accept(takenOf([1]), { room: 9, now });
  lane.endTake();
  expect(lane.shift()?.eventId).toBe(1);
});

test('news that comes while more is being taken has the lane read once more', () => {
  const lane = laneOf([1]);
  lane.startOver();
  lane.beginTake();
  lane.startOver();
  lane.accept(takenOf([1]), { room: 9, now });
  lane.endTake();
  expect(lane.nextTake()).toMatchObject({ after: null });
});

function laneOf(eventIds: readonly number[]): HeldLane {
  const taken = takenOf(eventIds);
  const lane = new HeldLane(taken, new LaneWindow(false));
  lane.accept(taken, { room: 9, now });
  return lane;
}

function takenOf(eventIds: readonly number[]) {
  return {
    webhookId: 1,
    accountId: 'account',
    lease: 1,
    isFailing: false,
    url: 'https://receiver.example.com/',
    secrets: [],
    deliveries: eventIds.map((eventId) => ({
      eventId,
      dueAt: now,
      attemptCount: 0,
      tries: 0,
      isTest: false,
      replayUuid: null,
      event: { uuid: `event ${eventId}`, payload: '{}' },
    })),
  };
}
