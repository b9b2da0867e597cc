import type { TakeFrom } from '../domain/lanes/take-deliveries.ts';
import type { TakenDelivery, TakenLane } from '../domain/lanes/taken-delivery.ts';
import type { LaneWindow } from './lane-window.ts';

/** A lane with deliveries that came due so long ago has a backlog. */
const backlogAfterMs = 2000;
/** What was taken is sent within this time or read again, for its webhook may have changed. */
const freshForMs = 5000;
/** How much of a lane is held in memory, and taken in one statement at least, in windows. */
const windowsAhead = 4;
const leastTaken = 2;

/** A lane while this worker holds its lease: what it took of it, and how far that is. */
export class HeldLane {
  readonly webhookId: number;
  readonly accountId: string;
  lease: number;
  readonly window: LaneWindow;
  url: string;
  secrets: string[] | null;
  isFailing: boolean;
  hasBacklog = false;
  inFlight = 0;
  /** Attempts that ended and are not written down yet. */
  unsettled = 0;
  #isBusy = false;
  /** Until the statement is answered nothing is sent or taken. */
  isBeingReleased = false;
  /** Nothing more is to be sent: it is lost, paused, or the worker is stopping. */
  isOver = false;
  /** Of `performance.now()`: nothing is sent before it. */
  pausedUntil = 0;
  #queue: TakenDelivery[] = [];
  /** Queued, under way or not settled: to be left out of what is taken next. */
  readonly #heldIds = new Set<number>();
  /** Written down while more was being taken: what is taken may still show them as pending. */
  readonly #settledMeanwhile: number[] = [];
  #after: TakeFrom = null;
  #mayHaveMore = true;
  /** What came due may have to go before all that is queued, as a test does. */
  #hasNews = false;
  /** It came while more was being taken, which may not have seen it. */
  #hasNewsMeanwhile = false;
  #readAt = performance.now();

  constructor(taken: TakenLane, window: LaneWindow) {
    this.webhookId = taken.webhookId;
    this.accountId = taken.accountId;
    this.lease = taken.lease;
    this.url = taken.url;
    this.secrets = taken.secrets;
    this.isFailing = taken.isFailing;
    this.window = window;
  }

  /** @param about `room`: how many deliveries were asked for */
  accept(taken: TakenLane, about: { room: number; now: Date }): void {
    const { deliveries } = taken;
    this.url = taken.url;
    this.secrets = taken.secrets;
    this.#readAt = performance.now();
    const [oldest] = deliveries;
    this.hasBacklog =
      oldest !== undefined && about.now.getTime() - oldest.dueAt.getTime() > backlogAfterMs;
    for (const delivery of deliveries) {
      if (this.#heldIds.has(delivery.eventId)) continue;
      this.#heldIds.add(delivery.eventId);
      this.#queue.push(delivery);
    }
    this.#queue.sort(byDue);
    this.#mayHaveMore = deliveries.length >= about.room;
    this.#hasNews = false;
    const last = deliveries.at(-1);
    // From the beginning the next time: what commits late may be due before what was taken.
    this.#after = this.#mayHaveMore && last ? last : null;
    if (this.#hasNewsMeanwhile) this.startOver();
    this.#hasNewsMeanwhile = false;
  }

  /**
   * Something came due, or may have. Looks from the beginning the next time: it may be due before
   * what was taken last, as a test is, or committed late.
   */
  startOver(): void {
    this.#after = null;
    this.#mayHaveMore = true;
    this.#hasNews = true;
    this.#hasNewsMeanwhile = this.#isBusy;
  }

  /** How to ask for more; null if there is enough, or nothing. */
  nextTake(): { webhookId: number; lease: number; after: TakeFrom; room: number } | null {
    const wanted = Math.max(0, this.window.size * windowsAhead - this.#queue.length);
    const isEnough = wanted < this.window.size * leastTaken;
    const isFree = !this.isOver && !this.#isBusy && !this.isBeingReleased && !this.isPausing();
    if (!this.#mayHaveMore || !isFree || (isEnough && !this.#hasNews)) return null;
    const held = this.#after === null ? this.#heldIds.size : 0;
    const { webhookId, lease } = this;
    return { webhookId, lease, after: this.#after, room: Math.max(1, wanted) + held };
  }

  /** More of its deliveries are being taken, until `endTake`. */
  beginTake(): void {
    this.#isBusy = true;
  }

  endTake(): void {
    this.#isBusy = false;
    for (const eventId of this.#settledMeanwhile.splice(0)) this.#heldIds.delete(eventId);
  }

  isPausing(): boolean {
    return performance.now() < this.pausedUntil;
  }

  hasSomethingToSend(): boolean {
    return (
      this.#queue.length > 0 &&
      !this.isOver &&
      !this.isPausing() &&
      this.inFlight < this.window.size
    );
  }

  isStale(): boolean {
    return performance.now() - this.#readAt > freshForMs;
  }

  /** The next delivery to send. */
  shift(): TakenDelivery | undefined {
    return this.#queue.shift();
  }

  /** Gives back what was taken and not sent. */
  dropQueue(): void {
    for (const { eventId } of this.#queue) this.#heldIds.delete(eventId);
    this.#queue = [];
    this.startOver();
  }

  end(): void {
    this.dropQueue();
    this.isOver = true;
  }

  /** An attempt of this event is written down. */
  forget(eventId: number): void {
    this.unsettled -= 1;
    if (this.#isBusy) this.#settledMeanwhile.push(eventId);
    else this.#heldIds.delete(eventId);
  }

  /** Whether there is nothing to do in it once so many attempts are written down. */
  isDoneAfter(settling: number): boolean {
    return (
      this.inFlight === 0 &&
      this.#queue.length === 0 &&
      this.unsettled === settling &&
      (this.isOver || !this.#mayHaveMore) &&
      !this.#isBusy
    );
  }
}

function byDue(a: TakenDelivery, b: TakenDelivery): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || a.eventId - b.eventId;
}
