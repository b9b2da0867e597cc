import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import { Turns } from '../concurrency/turns.ts';
import type { TurnResult } from '../concurrency/turns.ts';
import type { TakenDelivery } from '../domain/lanes/read-taken-lanes.ts';
import type { AttemptResult, Sender } from './sending/attempt.ts';
import type { BulkRate } from './fairness/bulk-rate.ts';
import type { HeldLane } from './held-lane.ts';
import type { Ending } from './fairness/lane-window.ts';
import { PacedJob } from './paced-job.ts';
import type { Sockets } from './fairness/sockets.ts';
import type { OpenSpan } from '../tracing/tracing.ts';

/**
 * How many attempts begin in one turn of the event loop. Each takes some processor time, to sign
 * and to write the request; deliveries that arrive in the meantime wait until these are done.
 */
const startsPerTurn = 16;
/** How often lanes check whether the shared rate allows them to send. */
const rateTickMs = 5;

type DispatcherOptions = {
  sender: Sender;
  sockets: Sockets;
  rate: BulkRate;
  now: () => Date;
  /** Begins the span of an attempt; null if no traces are recorded. */
  beginSpan: (lane: HeldLane, delivery: TakenDelivery) => OpenSpan | null;
  /** Records the result of an attempt, and returns how the attempt ended for its lane's window. */
  onResult: (
    lane: HeldLane,
    ended: {
      delivery: TakenDelivery;
      url: string;
      result: AttemptResult;
      span: OpenSpan | null;
    },
  ) => Ending;
  /** Called when a lane may hold more deliveries. */
  onCapacity: (lane: HeldLane) => void;
  onError: (error: unknown) => void;
};

/**
 * Sends the deliveries that lanes hold. In each turn of the event loop it begins some attempts:
 * accounts take turns, and so do the lanes of an account. A lane is limited by its window, its
 * share of the sockets and the rate of backlogs. Each result is passed on as soon as it is there.
 */
export class DeliveryDispatcher {
  readonly #options: DispatcherOptions;
  readonly #turns = new Turns<string, HeldLane>();
  readonly #waiting = new Set<HeldLane>();
  readonly #rateTick: PacedJob;
  readonly #waitEnd: PacedJob;
  #turn: NodeJS.Immediate | null = null;
  /** No delivery of a backlog may begin before the next tick. */
  #isRateSpent = false;
  #isStopped = false;
  #whenIdle: (() => void) | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { onError } = options;
    this.#rateTick = new PacedJob({ act: async () => this.#endRateWait(), onError });
    this.#waitEnd = new PacedJob({ act: async () => this.#endWaits(), onError });
  }

  /** Lets a lane begin as many attempts as it is allowed to, when it is its turn. */
  pump(lane: HeldLane): void {
    this.#pumpAfterWait(lane);
    if (!lane.hasSomethingToSend()) return;
    this.#turns.add(lane.accountId, lane);
    this.#requestTurn();
  }

  #pumpAfterWait(lane: HeldLane): void {
    if (lane.waitMs === 0) return;
    this.#waiting.add(lane);
    this.#waitEnd.request(lane.waitMs);
  }

  /** Begins no further attempts, and resolves when all attempts in progress have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turns.clear();
    this.#waiting.clear();
    if (this.#turn) clearImmediate(this.#turn);
    await Promise.all([this.#rateTick.stop(), this.#waitEnd.stop()]);
    if (this.#options.sockets.used === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #requestTurn(): void {
    if (this.#isStopped) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      this.#options.sockets.beginRound();
      if (this.#turns.serve(startsPerTurn, (lane) => this.#ask(lane))) this.#requestTurn();
    });
  }

  #ask(lane: HeldLane): TurnResult {
    const { sockets, rate, onCapacity } = this.#options;
    if (!lane.hasSomethingToSend()) {
      this.#pumpAfterWait(lane);
      return 'idle';
    }
    if (lane.hasBacklog && this.#isRateSpent) return 'blocked';
    if (!sockets.hasFree(lane)) return 'blocked';
    if (lane.isStale()) {
      lane.dropQueue();
      onCapacity(lane);
      return 'idle';
    }
    const { speed } = lane.window;
    if (lane.hasBacklog && !rate.take(speed)) {
      // Only the lower rate of first requests is spent: other lanes with a backlog may still send.
      if (speed !== 'unknown') this.#isRateSpent = true;
      this.#rateTick.request(rateTickMs);
      return 'blocked';
    }
    const release = sockets.acquire(lane);
    const delivery = lane.begin();
    if (delivery) void this.#send(lane, { delivery, release });
    return 'served';
  }

  async #send(
    lane: HeldLane,
    { delivery, release }: { delivery: TakenDelivery; release: () => void },
  ): Promise<void> {
    const { sockets, rate, now, beginSpan, onResult, onCapacity } = this.#options;
    // A wait behind deliveries of the same lane says nothing about the load of the worker.
    const isLimited = lane.maxPerSecond !== null;
    if (!lane.hasBacklog && !isLimited && lane.inFlight === 1 && !lane.hasSomethingToSend()) {
      rate.noteFresh(now().getTime() - delivery.dueAt.getTime());
    }
    const { url } = lane;
    const span = beginSpan(lane, delivery);
    const result = await this.#attempt(lane, { delivery, span });
    release();
    lane.noteEnded(delivery);
    const ending = onResult(lane, { delivery, url, result, span });
    const pauseMs = lane.window.note(ending, result.durationMs);
    if (pauseMs > 0) lane.pause(pauseMs);
    // A socket is free again: it goes to the lane whose turn it is.
    this.#requestTurn();
    this.pump(lane);
    onCapacity(lane);
    if (sockets.used === 0) this.#whenIdle?.();
  }

  async #attempt(
    lane: HeldLane,
    { delivery, span }: { delivery: TakenDelivery; span: OpenSpan | null },
  ): Promise<AttemptResult> {
    const { event, replayUuid } = delivery;
    if (event === null) return this.#internalErrorResult('The event is no longer kept.');
    const { sealed } = lane;
    if (sealed === null) return this.#internalErrorResult('The signing secret cannot be read.');
    try {
      return await this.#options.sender.send({
        url: lane.url,
        messageId: messageIdOf(event.uuid, delivery),
        body: event.payload,
        ...sealed,
        replayUuid,
        traceParent: span?.traceParent,
        laneId: lane.webhookId,
      });
    } catch (error) {
      this.#options.onError(error);
      return this.#internalErrorResult('The attempt could not be made.');
    }
  }

  #internalErrorResult(message: string): AttemptResult {
    return {
      startedAt: this.#options.now(),
      durationMs: 0,
      firstByteMs: null,
      requestHeaders: {},
      response: null,
      error: { kind: 'internal', message },
    };
  }

  #endRateWait(): void {
    this.#isRateSpent = false;
    this.#requestTurn();
  }

  #endWaits(): void {
    for (const lane of this.#waiting) {
      if (lane.waitMs > 0) {
        this.#waitEnd.request(lane.waitMs);
        continue;
      }
      this.#waiting.delete(lane);
      this.pump(lane);
      this.#options.onCapacity(lane);
    }
  }
}
