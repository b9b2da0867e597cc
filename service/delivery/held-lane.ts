import type { Budget } from '../concurrency/budget.ts';
import type { TakeFrom } from '../domain/lanes/claim-lanes.ts';
import type { TakenDelivery, TakenLane } from '../domain/lanes/read-taken-lanes.ts';
import type { LaneWindow, Speed } from './fairness/lane-window.ts';

/** A lane has a backlog if one of its deliveries came due longer ago than this. */
const backlogAfterMs = 2000;
/** Older ones are read again before they are sent, because their webhook may have changed. */
const freshForMs = 5000;
/** How many windows of deliveries a lane holds in memory, and takes in one statement at least. */
const windowsAhead = 8;
const minTaken = 2;
/** Bytes of bodies that a lane may take at a time. The largest body is half of this. */
const maxBytesPerTake = 128 * 1024;

export type LaneTake = {
  webhookId: number;
  lease: number;
  after: TakeFrom;
  /** The most deliveries, and bytes of bodies, to take. One delivery may have any size. */
  maxDeliveries: number;
  bytes: number;
  /** Events of the deliveries that the lane already holds. */
  heldIds: number[];
};

/** A lane while this worker holds its lease: what was taken, and how far each one is. */
export class HeldLane {
  readonly webhookId: number;
  readonly accountId: string;
  lease: number;
  readonly window: LaneWindow;
  url = '';
  /** Scheme, host and port of `url`. */
  origin = '';
  sealed: TakenLane['sealed'];
  isFailing: boolean;
  hasBacklog = false;
  inFlight = 0;
  /** Attempts that ended and whose results are not written yet. */
  uncompleted = 0;
  /** While a take is in progress, between `beginTake` and `endTake`. */
  #isBeingTaken = false;
  /** While the statement runs that releases the lane, nothing is sent or taken. */
  isBeingReleased = false;
  /** Nothing more may be sent: the lease is lost, the lane is paused, or the worker stops. */
  hasEnded = false;
  /** Nothing is sent before this value of `performance.now()`. */
  #pausedUntil = 0;
  /** How many attempts may begin within a second; null: no limit. */
  maxPerSecond: number | null;
  /** When the next attempt may begin, for a lane with such a limit. */
  #nextStart = 0;
  readonly #memory: Budget;
  #queue: TakenDelivery[] = [];
  /** Deliveries that are queued, being sent or not completed. The next take leaves them out. */
  readonly #heldIds = new Set<number>();
  /** Deliveries that were completed during a take. Its result may still show them as pending. */
  readonly #completedMeanwhile: number[] = [];
  #after: TakeFrom = null;
  #mayHaveMore = true;
  /** A delivery that may come before all queued ones is due, for example a test event. */
  #hasNews = false;
  /** A notification came during a take, which may have missed the new delivery. */
  #hasNewsMeanwhile = false;
  /** The webhook changed during a take, which may have read the old state. */
  #hasChangedMeanwhile = false;
  #readAt = performance.now();

  constructor(taken: TakenLane, { window, memory }: { window: LaneWindow; memory: Budget }) {
    this.webhookId = taken.webhookId;
    this.accountId = taken.accountId;
    this.lease = taken.lease;
    this.#pointTo(taken.url);
    this.sealed = taken.sealed;
    this.isFailing = taken.isFailing;
    this.maxPerSecond = taken.maxPerSecond;
    // Only the holder of the lease begins attempts of a lane, so that the limit holds across
    // processes.
    const idleMs = taken.idleMs ?? Infinity;
    if (idleMs < this.#startGapMs) this.#nextStart = performance.now() + this.#startGapMs - idleMs;
    this.window = window;
    this.#memory = memory;
  }

  get speed(): Speed {
    return this.window.speed;
  }

  /** Adds the deliveries that were taken. @param options how much was requested */
  accept(taken: TakenLane, options: { maxDeliveries: number; bytes: number; now: Date }): void {
    const { deliveries } = taken;
    this.#pointTo(taken.url);
    this.sealed = taken.sealed;
    this.maxPerSecond = taken.maxPerSecond;
    this.#readAt = performance.now();
    let bytes = 0;
    for (const delivery of deliveries) {
      bytes += bytesOf(delivery);
      if (this.#heldIds.has(delivery.eventId)) continue;
      this.#heldIds.add(delivery.eventId);
      this.#queue.push(delivery);
      this.#memory.add(this.accountId, bytesOf(delivery));
    }
    this.#queue.sort(byDue);
    const [oldest] = this.#queue;
    this.hasBacklog =
      oldest !== undefined && options.now.getTime() - oldest.dueAt.getTime() > backlogAfterMs;
    this.#mayHaveMore = deliveries.length >= options.maxDeliveries || bytes >= options.bytes;
    this.#hasNews = false;
    const last = deliveries.at(-1);
    // The next take starts at the beginning: a delivery that commits late may be due earlier than
    // those that were taken.
    this.#after = this.#mayHaveMore && last ? last : null;
    if (this.#hasNewsMeanwhile) this.startOver();
    this.#hasNewsMeanwhile = false;
    if (this.#hasChangedMeanwhile) this.dropQueue();
    this.#hasChangedMeanwhile = false;
  }

  /** Drops everything that was read before, because the webhook changed. */
  readAgain(): void {
    this.dropQueue();
    this.#hasChangedMeanwhile = this.#isBeingTaken;
  }

  /**
   * Makes the next take start at the beginning, because a delivery came due, or may have. It may be
   * due earlier than the last one taken, if it is a test event or committed late.
   */
  startOver(): void {
    this.#after = null;
    this.#mayHaveMore = true;
    this.#hasNews = true;
    this.#hasNewsMeanwhile = this.#isBeingTaken;
  }

  /** The request for more deliveries; null if the lane holds enough, or if there are no more. */
  nextTake(): LaneTake | 'no memory' | null {
    const isFree =
      !this.hasEnded && !this.#isBeingTaken && !this.isBeingReleased && !this.isPausing();
    const maxDeliveries = isFree && this.#mayHaveMore ? this.#wanted() : 0;
    if (maxDeliveries === 0) return null;
    const bytes = this.#bytesToTake();
    if (bytes === 0) return 'no memory';
    const heldIds = this.#after === null ? [...this.#heldIds] : [];
    const { webhookId, lease } = this;
    return { webhookId, lease, after: this.#after, maxDeliveries, bytes, heldIds };
  }

  /** How many bytes the lane may take. One that holds none may take one while any is free. */
  #bytesToTake(): number {
    const memory = this.#memory;
    const left = memory.limitFor(this.accountId) - memory.usedBy(this.accountId);
    const bytes = Math.min(maxBytesPerTake, Math.floor(left / 2));
    if (bytes > 0) return bytes;
    const holdsNone = this.inFlight + this.#queue.length === 0;
    return holdsNone && memory.free > 0 ? 1 : 0;
  }

  /** How many more deliveries the lane may hold. */
  #wanted(): number {
    const { size } = this.window;
    if (this.maxPerSecond !== null) return this.#wantedWithLimit(this.maxPerSecond);
    // Deliveries that wait for a slow response would be out of date by their turn.
    if (this.speed !== 'fast') return Math.max(0, size - this.inFlight - this.#queue.length);
    const wanted = Math.max(0, size * windowsAhead - this.#queue.length);
    if (this.#hasNews) return Math.max(1, wanted);
    return wanted < size * minTaken ? 0 : wanted;
  }

  /** Those that may begin before they would be out of date. */
  #wantedWithLimit(maxPerSecond: number): number {
    const most = Math.max(2, Math.floor((maxPerSecond * freshForMs) / 2000));
    const wanted = most - this.#queue.length;
    return wanted < most / 2 && !this.#hasNews ? 0 : Math.max(1, wanted);
  }

  beginTake(): void {
    this.#isBeingTaken = true;
  }

  endTake(): void {
    this.#isBeingTaken = false;
    for (const eventId of this.#completedMeanwhile.splice(0)) this.#heldIds.delete(eventId);
  }

  /** How long nothing may begin, because of a pause or of the limit per second; 0 if it may. */
  get waitMs(): number {
    const startsAt = this.#queue.length > 0 ? this.#nextStart : 0;
    return Math.max(0, Math.max(this.#pausedUntil, startsAt) - performance.now());
  }

  get #startGapMs(): number {
    return this.maxPerSecond === null ? 0 : 1000 / this.maxPerSecond;
  }

  isPausing(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  hasSomethingToSend(): boolean {
    return (
      this.#queue.length > 0 &&
      !this.hasEnded &&
      this.waitMs === 0 &&
      this.inFlight < this.window.size
    );
  }

  isStale(): boolean {
    return performance.now() - this.#readAt > freshForMs;
  }

  /** Takes the next delivery from the queue, to attempt it. */
  begin(): TakenDelivery | undefined {
    const delivery = this.#queue.shift();
    if (delivery) {
      this.inFlight += 1;
      this.#nextStart = performance.now() + this.#startGapMs;
    }
    return delivery;
  }

  /** Records that an attempt ended. */
  noteEnded(delivery: TakenDelivery): void {
    this.inFlight -= 1;
    this.uncompleted += 1;
    this.#memory.add(this.accountId, -bytesOf(delivery));
  }

  /** Sends and holds nothing for this time. */
  pause(ms: number): void {
    this.#pausedUntil = performance.now() + ms;
    this.dropQueue();
  }

  /** Drops the deliveries that were taken and not sent. */
  dropQueue(): void {
    for (const delivery of this.#queue) {
      this.#heldIds.delete(delivery.eventId);
      this.#memory.add(this.accountId, -bytesOf(delivery));
    }
    this.#queue = [];
    this.startOver();
  }

  end(): void {
    this.dropQueue();
    this.hasEnded = true;
  }

  /** Records that the result of this event’s attempt is written. */
  forget(eventId: number): void {
    this.uncompleted -= 1;
    if (this.#isBeingTaken) this.#completedMeanwhile.push(eventId);
    else this.#heldIds.delete(eventId);
  }

  #pointTo(url: string): void {
    if (url !== this.url) this.origin = URL.parse(url)?.origin ?? url;
    this.url = url;
  }

  /** Whether the lane has nothing left to do once this number of attempts is completed. */
  isDoneAfter(completing: number): boolean {
    return (
      this.inFlight === 0 &&
      this.#queue.length === 0 &&
      this.uncompleted === completing &&
      (this.hasEnded || !this.#mayHaveMore) &&
      !this.#isBeingTaken
    );
  }
}

function bytesOf({ event }: TakenDelivery): number {
  return event === null ? 0 : Buffer.byteLength(event.payload);
}

function byDue(a: TakenDelivery, b: TakenDelivery): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || a.eventId - b.eventId;
}
