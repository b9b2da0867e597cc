import type { TakenDelivery } from '../domain/lanes/taken-delivery.ts';
import type { AttemptResult, Sender } from './attempt.ts';
import type { BulkRate } from './bulk-rate.ts';
import type { HeldLane } from './held-lane.ts';
import type { InFlightBudget } from './in-flight-budget.ts';
import type { Ending } from './lane-window.ts';
import { PacedJob } from './paced-job.ts';

/** How often lanes look whether the rate they share lets them go on. */
const rateTickMs = 5;

/** What keeps a lane with something to send from sending it. */
type Obstacle = 'budget' | 'failing_budget' | 'rate';

/**
 * Sends what lanes hold, as far as window, budget and rate let each, and hands on the results as
 * they come. A lane that is kept waiting stands in a queue for what it waits for: without one, a
 * lane with nothing under way would never be looked at again.
 */
export class Dispatcher {
  readonly #sender: Sender;
  readonly #budget: InFlightBudget;
  readonly #rate: BulkRate;
  readonly #on: {
    now: () => Date;
    result: (
      lane: HeldLane,
      about: { delivery: TakenDelivery; url: string; result: AttemptResult },
    ) => Ending;
    /** A lane may take more deliveries. */
    room: (lane: HeldLane) => void;
    onError: (error: unknown) => void;
  };
  readonly #waiting: Record<Obstacle, Set<HeldLane>> = {
    budget: new Set(),
    failing_budget: new Set(),
    rate: new Set(),
  };
  readonly #pausing = new Set<HeldLane>();
  readonly #rateTick: PacedJob;
  readonly #pauseEnd: PacedJob;
  #whenIdle: (() => void) | null = null;

  constructor(options: {
    sender: Sender;
    budget: InFlightBudget;
    rate: BulkRate;
    now: () => Date;
    result: (
      lane: HeldLane,
      about: { delivery: TakenDelivery; url: string; result: AttemptResult },
    ) => Ending;
    room: (lane: HeldLane) => void;
    onError: (error: unknown) => void;
  }) {
    this.#sender = options.sender;
    this.#budget = options.budget;
    this.#rate = options.rate;
    this.#on = options;
    this.#rateTick = new PacedJob({
      act: async () => this.#serve('rate'),
      onError: options.onError,
    });
    this.#pauseEnd = new PacedJob({
      act: async () => this.#endPauses(),
      onError: options.onError,
    });
  }

  /** Sends all that this lane may send now. */
  pump(lane: HeldLane): void {
    if (lane.isPausing()) {
      this.#pausing.add(lane);
      this.#pauseEnd.request(lane.pausedUntil - performance.now());
    }
    while (lane.hasSomethingToSend()) {
      const obstacle = this.#sendOne(lane);
      if (obstacle === null) continue;
      this.#wait(lane, obstacle);
      return;
    }
  }

  /** Forgets who waits, and resolves when nothing is under way. */
  async stop(): Promise<void> {
    for (const lanes of [...Object.values(this.#waiting), this.#pausing]) lanes.clear();
    await Promise.all([this.#rateTick.stop(), this.#pauseEnd.stop()]);
    if (this.#budget.used > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  #sendOne(lane: HeldLane): Obstacle | null {
    if (lane.isStale()) {
      lane.dropQueue();
      this.#on.room(lane);
      return null;
    }
    if (!this.#budget.hasRoom(false)) return 'budget';
    if (!this.#budget.hasRoom(lane.isFailing)) return 'failing_budget';
    if (lane.hasBacklog && !this.#rate.take()) return 'rate';
    const delivery = lane.shift();
    if (delivery) void this.#send(lane, delivery);
    return null;
  }

  async #send(lane: HeldLane, delivery: TakenDelivery): Promise<void> {
    const giveBack = this.#budget.take(lane.isFailing);
    lane.inFlight += 1;
    // One that waited behind others of its own lane says nothing about what the rest endures.
    if (!lane.hasBacklog && lane.inFlight === 1 && !lane.hasSomethingToSend()) {
      this.#rate.noteFresh(this.#on.now().getTime() - delivery.dueAt.getTime());
    }
    const { url } = lane;
    const result = await this.#attempt(lane, delivery);
    giveBack();
    lane.inFlight -= 1;
    lane.unsettled += 1;
    const pauseMs = lane.window.note(this.#on.result(lane, { delivery, url, result }));
    if (pauseMs > 0) lane.pausedUntil = performance.now() + pauseMs;

    // Who waits goes first: a lane that always has something to send would keep its place for ever.
    this.#serve('budget');
    this.#serve('failing_budget');
    this.pump(lane);
    this.#on.room(lane);
    if (this.#budget.used === 0) this.#whenIdle?.();
  }

  async #attempt(lane: HeldLane, delivery: TakenDelivery): Promise<AttemptResult> {
    const { event, replayUuid } = delivery;
    if (event === null) return this.#ownFault('The event is no longer kept.');
    if (lane.secrets === null) return this.#ownFault('The signing secret cannot be read.');
    try {
      return await this.#sender.send({
        url: lane.url,
        messageId: `msg_${event.uuid}`,
        body: event.payload,
        secrets: lane.secrets,
        replayUuid,
        laneId: lane.webhookId,
      });
    } catch (error) {
      this.#on.onError(error);
      return this.#ownFault('The attempt could not be made.');
    }
  }

  #ownFault(message: string): AttemptResult {
    return {
      startedAt: this.#on.now(),
      durationMs: 0,
      firstByteMs: null,
      requestHeaders: {},
      response: null,
      error: { kind: 'internal', message },
    };
  }

  #wait(lane: HeldLane, obstacle: Obstacle): void {
    this.#waiting[obstacle].add(lane);
    if (obstacle === 'rate') this.#rateTick.request(rateTickMs);
  }

  /** One delivery of each lane in turn, until what they wait for is used up. */
  #serve(obstacle: Obstacle): void {
    const waiting = this.#waiting[obstacle];
    if (obstacle !== 'rate' && !this.#budget.hasRoom(obstacle === 'failing_budget')) return;
    for (let turns = waiting.size; turns > 0; turns -= 1) {
      const [lane] = waiting;
      if (!lane) return;
      waiting.delete(lane);
      if (!lane.hasSomethingToSend()) continue;
      const met = this.#sendOne(lane);
      if (met !== null) {
        this.#wait(lane, met);
        if (met === obstacle) return;
      } else if (lane.hasSomethingToSend()) {
        waiting.add(lane);
        turns += 1;
      }
    }
  }

  #endPauses(): void {
    for (const lane of this.#pausing) {
      if (lane.isPausing()) {
        this.#pauseEnd.request(lane.pausedUntil - performance.now());
        continue;
      }
      this.#pausing.delete(lane);
      this.pump(lane);
      this.#on.room(lane);
    }
  }
}
