import type { KeyObject } from 'node:crypto';
import type { TakeFrom } from '../domain/lanes/take-deliveries.ts';
import type { TakenDelivery, TakenLane } from '../domain/lanes/taken-delivery.ts';
import type { BodyMemory } from './fairness/body-memory.ts';
import type { LaneWindow, Speed } from './fairness/lane-window.ts';

/** A lane with deliveries that came due so long ago has a backlog. */
const backlogAfterMs = 2000;
/** What was taken is sent within this time or read again, for its webhook may have changed. */
const freshForMs = 5000;
/** How much of a lane is held in memory, and taken in one statement at least, in windows. */
const windowsAhead = 8;
const minTaken = 2;

/** A request for more deliveries of a lane. */
export type LaneTake = {
  webhookId: number;
  lease: number;
  after: TakeFrom;
  /** Deliveries, and bytes of their bodies, at most; one comes whatever its size. */
  room: number;
  bytes: number;
  /** Events of deliveries that it has already. */
  heldIds: number[];
};

/** A lane while this worker holds its lease: what it took of it, and how far that is. */
export class HeldLane {
  readonly webhookId: number;
  readonly accountId: string;
  lease: number;
  readonly window: LaneWindow;
  url = '';
  /** Scheme, host and port of `url`. */
  origin = '';
  secrets: KeyObject[] | null;
  isFailing: boolean;
  hasBacklog = false;
  /** Attempts that have begun and not ended. */
  inFlight = 0;
  /** Attempts that ended and are not written down yet. */
  unsettled = 0;
  #isBusy = false;
  /** Until the statement is answered nothing is sent or taken. */
  isBeingReleased = false;
  /**
   * Set when nothing more may be sent: its lease is lost, it is paused, or the worker is stopping.
   */
  hasEnded = false;
  /** Of `performance.now()`: nothing is sent before it. */
  pausedUntil = 0;
  readonly #memory: BodyMemory;
  #queue: TakenDelivery[] = [];
  /** Deliveries that are queued, being sent or not settled: they are left out of the next take. */
  readonly #heldIds = new Set<number>();
  /** Written down while more was being taken: what is taken may still show them as pending. */
  readonly #settledMeanwhile: number[] = [];
  #after: TakeFrom = null;
  #mayHaveMore = true;
  /** What came due may have to go before all that is queued, as a test does. */
  #hasNews = false;
  /** A notification came during a take, which may not have read the new delivery. */
  #hasNewsMeanwhile = false;
  /** Its webhook changed during a take, which may have read it before. */
  #hasChangedMeanwhile = false;
  #readAt = performance.now();

  constructor(taken: TakenLane, { window, memory }: { window: LaneWindow; memory: BodyMemory }) {
    this.webhookId = taken.webhookId;
    this.accountId = taken.accountId;
    this.lease = taken.lease;
    this.#pointTo(taken.url);
    this.secrets = taken.secrets;
    this.isFailing = taken.isFailing;
    this.window = window;
    this.#memory = memory;
  }

  get speed(): Speed {
    return this.window.speed;
  }

  /** @param about `room` and `bytes`: how much was requested */
  accept(taken: TakenLane, about: { room: number; bytes: number; now: Date }): void {
    const { deliveries } = taken;
    this.#pointTo(taken.url);
    this.secrets = taken.secrets;
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
      oldest !== undefined && about.now.getTime() - oldest.dueAt.getTime() > backlogAfterMs;
    this.#mayHaveMore = deliveries.length >= about.room || bytes >= about.bytes;
    this.#hasNews = false;
    const last = deliveries.at(-1);
    // From the beginning the next time: what commits late may be due before what was taken.
    this.#after = this.#mayHaveMore && last ? last : null;
    if (this.#hasNewsMeanwhile) this.startOver();
    this.#hasNewsMeanwhile = false;
    if (this.#hasChangedMeanwhile) this.dropQueue();
    this.#hasChangedMeanwhile = false;
  }

  /** Its webhook changed: nothing is sent that was read before. */
  readAgain(): void {
    this.dropQueue();
    this.#hasChangedMeanwhile = this.#isBusy;
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

  /** The request for more deliveries; null if it holds enough, or there are none. */
  nextTake(): LaneTake | null {
    const isFree = !this.hasEnded && !this.#isBusy && !this.isBeingReleased && !this.isPausing();
    const room = isFree && this.#mayHaveMore ? this.#wanted() : 0;
    if (room === 0) return null;
    const bytes = this.#memory.roomFor(this.accountId, this.inFlight + this.#queue.length);
    if (bytes === 0) return null;
    const heldIds = this.#after === null ? [...this.#heldIds] : [];
    const { webhookId, lease } = this;
    return { webhookId, lease, after: this.#after, room, bytes, heldIds };
  }

  /** How many more deliveries it would take. */
  #wanted(): number {
    const { size } = this.window;
    // What waits for a slow answer is out of date when its turn comes.
    if (this.speed !== 'fast') return Math.max(0, size - this.inFlight - this.#queue.length);
    const wanted = Math.max(0, size * windowsAhead - this.#queue.length);
    if (this.#hasNews) return Math.max(1, wanted);
    return wanted < size * minTaken ? 0 : wanted;
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
      !this.hasEnded &&
      !this.isPausing() &&
      this.inFlight < this.window.size
    );
  }

  isStale(): boolean {
    return performance.now() - this.#readAt > freshForMs;
  }

  /** Begins an attempt of the next delivery. */
  begin(): TakenDelivery | undefined {
    const delivery = this.#queue.shift();
    if (delivery) this.inFlight += 1;
    return delivery;
  }

  /** An attempt ended. */
  noteEnded(delivery: TakenDelivery): void {
    this.inFlight -= 1;
    this.unsettled += 1;
    this.#memory.add(this.accountId, -bytesOf(delivery));
  }

  /** Sends nothing for so long, and holds nothing meanwhile. */
  pause(ms: number): void {
    this.pausedUntil = performance.now() + ms;
    this.dropQueue();
  }

  /** Gives back what was taken and not sent. */
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

  /** An attempt of this event is written down. */
  forget(eventId: number): void {
    this.unsettled -= 1;
    if (this.#isBusy) this.#settledMeanwhile.push(eventId);
    else this.#heldIds.delete(eventId);
  }

  #pointTo(url: string): void {
    if (url !== this.url) this.origin = URL.parse(url)?.origin ?? url;
    this.url = url;
  }

  /** Whether the lane has nothing left to do once `settling` attempts are settled. */
  isDoneAfter(settling: number): boolean {
    return (
      this.inFlight === 0 &&
      this.#queue.length === 0 &&
      this.unsettled === settling &&
      (this.hasEnded || !this.#mayHaveMore) &&
      !this.#isBusy
    );
  }
}

function bytesOf({ event }: TakenDelivery): number {
  return event === null ? 0 : Buffer.byteLength(event.payload);
}

function byDue(a: TakenDelivery, b: TakenDelivery): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || a.eventId - b.eventId;
}
