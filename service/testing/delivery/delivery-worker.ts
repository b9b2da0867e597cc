import { expect } from 'vitest';
import type { z } from 'zod';
import type { AttemptErrorKind } from '#lib/contract/deliveries/attempt-errors.ts';
import type { createWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import type { AttemptResult, Outgoing, Sender } from '../../delivery/sending/attempt.ts';
import { startWorker } from '../../delivery/worker.ts';
import { defaultLimits, workerPaces } from '../../delivery/worker-pace.ts';
import type { DecideOutcome } from '../../delivery/outcome/decide-outcome.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { WorkerLimits, WorkerPace } from '../../delivery/worker-pace.ts';
import type { Actor } from '../../domain/actor.ts';
import { publishEvent } from '../../domain/events/publish-event.ts';
import { LaneNotifier } from '../../domain/lanes/lane-notifier.ts';
import type { CompletedAttempt } from '../../domain/lanes/completed-attempt.ts';
import type { TakenLane } from '../../domain/lanes/read-taken-lanes.ts';
import { createWebhook } from '../../domain/webhooks/create-webhook.ts';
import type { TestContext } from '../context.ts';

/** The pace of a worker that does not poll. */
export const untimed = {
  pollMs: hourMs,
  sweepMs: hourMs,
  leaseMs: hourMs,
} as const satisfies Partial<WorkerPace>;

/** How a receiver in a test responds: with a status, or with a failure. */
export type ScriptedResponse = number | AttemptErrorKind;

/**
 * Receivers without a network. They store their requests, and the test decides how they respond.
 */
export class ScriptedReceivers implements Sender {
  readonly received: Outgoing[] = [];
  respondWith: (outgoing: Outgoing) => ScriptedResponse | Promise<ScriptedResponse> = () => 200;
  /** Lets requests wait for the status with which the returned function is called. */
  hold(): (status: number) => void {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.respondWith = () => promise;
    return resolve;
  }

  /** The duration of an attempt that the worker is told. */
  durationMs: (outgoing: Outgoing) => number = () => 1.5;
  readonly #ctx: Pick<Context, 'clock'>;

  constructor(ctx: Pick<Context, 'clock'>) {
    this.#ctx = ctx;
  }

  async send(outgoing: Outgoing): Promise<AttemptResult> {
    const startedAt = this.#ctx.clock.now();
    this.received.push(outgoing);
    const scripted = await this.respondWith(outgoing);
    const isStatus = typeof scripted === 'number';
    return {
      startedAt,
      durationMs: this.durationMs(outgoing),
      firstByteMs: isStatus ? 1.2 : null,
      requestHeaders: { 'webhook-id': outgoing.messageId },
      response: isStatus
        ? { statusCode: scripted, headers: { server: 'test' }, body: 'ok', isTruncated: false }
        : null,
      error: isStatus ? null : { kind: scripted, message: 'It went wrong.' },
    };
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }

  /** The ids of the received events, in order. */
  get ids(): string[] {
    return this.received.map(({ messageId }) => messageId);
  }
}

/**
 * Retries come 5 seconds after each of three attempts. After an internal error they come after 5
 * seconds, and after twice as long with each further one.
 */
const decideOutcomeInTest: DecideOutcome = (
  { response, error },
  { tries, internalErrors, scheduledAt, now },
) => {
  if (error?.kind === 'internal') {
    return { kind: 'our_fault', at: new Date(now.getTime() + 5000 * 2 ** internalErrors) };
  }
  const status = response?.statusCode ?? 0;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  if (scheduledAt) return { kind: 'retry', at: scheduledAt };
  return tries >= 4 ? { kind: 'give_up' } : { kind: 'retry', at: new Date(now.getTime() + 5000) };
};

export type TestWorker = Worker & { repaired(): number };

/** A running worker on a test's database. */
export function startTestWorker(
  ctx: TestContext,
  options: { sender: Sender; pace?: Partial<WorkerPace>; limits?: Partial<WorkerLimits> },
): TestWorker {
  let repaired = 0;
  const worker = startWorker(ctx, {
    sender: options.sender,
    decideOutcome: decideOutcomeInTest,
    metrics: {
      countAttempt: () => undefined,
      countRepaired(deliveries) {
        repaired += deliveries;
      },
    },
    pace: { ...workerPaces[ctx.database.engine], ...options.pace },
    limits: { ...defaultLimits, sockets: 2048, ...options.limits },
  });
  return { ...worker, repaired: () => repaired };
}

/** One attempt for each delivery taken from a lane: a success, unless changes are given. */
export function attemptsOn(
  lane: TakenLane,
  change: Pick<CompletedAttempt, 'startedAt'> & Partial<CompletedAttempt>,
): CompletedAttempt[] {
  return lane.deliveries.map((delivery) => ({
    webhookId: lane.webhookId,
    accountId: lane.accountId,
    lease: lane.lease,
    eventId: delivery.eventId,
    number: delivery.attemptCount + 1,
    becomes: { status: 'delivered' },
    countsInSchedule: true,
    says: 'works',
    durationMs: 12,
    waitedMs: 3,
    firstByteMs: 11,
    url: lane.url,
    statusCode: 200,
    error: null,
    lastError: null,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: '',
    isResponseTruncated: false,
    ...change,
  }));
}

/** Creates a webhook for every event of a closed conversation. */
export async function addWebhook(
  ctx: Context,
  actor: Actor,
  input: Partial<z.output<typeof createWebhookInput>> = {},
) {
  return await createWebhook(ctx, actor, {
    name: 'Receiver',
    url: 'https://receiver.example.com/',
    events: ['conversation.closed'],
    is_active: true,
    ...input,
  });
}

/** Publishes events without notifying a worker, like a process that dies right after its commit. */
export async function publishUnqueued(ctx: Context, actor: Actor, count = 1): Promise<number[]> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const webhookIds = new Set<number>();
    for (let made = 0; made < count; made += 1) {
      const ids = await publishEvent(ctx, tx, {
        accountId: actor.accountId,
        origin: null,
        now,
        event: {
          type: 'conversation.closed',
          data: {
            conversation: {
              id: 51,
              uuid: crypto.randomUUID(),
              subject: 'Where is order 1042?',
              contact: null,
              status: 'closed',
              metadata: {},
              origin: null,
              created_at: now.toISOString(),
              closed_at: now.toISOString(),
            },
            origin: null,
            sequence: 1,
          },
        },
      });
      for (const id of ids) webhookIds.add(id);
    }
    return [...webhookIds];
  });
}

/**
 * Publishes events. Their lanes are queued for the worker of this context. If it has none, their lanes are
 * awake when this returns.
 */
export async function publish(ctx: Context, actor: Actor, count = 1): Promise<void> {
  ctx.laneNotifier.queue(await publishUnqueued(ctx, actor, count));
  await ctx.laneNotifier.idle();
}

/** The context of another process without a worker: workers learn of its events by notification. */
export function withoutWorker<Ctx extends Context>(ctx: Ctx): Ctx {
  return { ...ctx, laneNotifier: new LaneNotifier(ctx) };
}

/** Advances the clock, and notifies workers as if their own timer had fired. */
export async function passTime(ctx: TestContext, ms: number): Promise<void> {
  ctx.clock.advance(ms);
  await ctx.notifier.publish('lanes', 'due');
}

/** Waits for what a worker does in its own time, for longer than a busy machine needs. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: 20_000, interval: 10 });
}
