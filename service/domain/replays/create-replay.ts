import type { z } from 'zod';
import { createReplay as contract } from '#lib/contract/deliveries/replays.ts';
import type { createReplayInput, Replay, ReplaySize } from '#lib/contract/deliveries/replays.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { invalid, problemsOf } from '../errors.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { lockActiveWebhook } from '../webhooks/lock-webhook.ts';
import { beginReplay, countRest } from './begin-replay.ts';
import { describeReplay } from './read-replays.ts';
import { countReplayEvents } from './store/replay-events.ts';
import { findIdenticalReplay } from './store/replays.ts';

/** A dry run returns only the numbers of events. */
type ReplayResponse = { kind: 'counted'; count: ReplaySize } | { kind: 'begun'; replay: Replay };

/**
 * Starts to send a window of past events to a webhook again, or only counts them. If the window
 * reaches beyond the retention, only events that still exist are sent.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on an empty window and, except for a dry run, if
 *   the webhook is inactive or the same replay is already running
 */
export async function createReplay(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof createReplayInput>,
): Promise<ReplayResponse> {
  const at = ctx.clock.now();
  const webhook = await findWebhook(ctx, actor, input);
  const choice = {
    statusFilter: input.status,
    sendsPending: input.include_pending,
    sendsEarlier: input.include_earlier,
  };
  // Before the transaction, because a completion may wait for the webhook that it locks.
  const counted = await ctx.heavyReads.run(actor.accountId, () =>
    countReplayEvents(ctx.db, { webhook, ...windowOf(input, at), ...choice }),
  );
  if (input.dry_run) {
    const { count, kinds } = counted;
    const { earlier, ...others } = kinds;
    return { kind: 'counted', count: { count, ...others, before_creation: earlier } };
  }
  const begin = async (tx: Tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const active = await lockActiveWebhook(tx, actor.accountId, webhook.id);
    const now = ctx.clock.now();
    const window = { webhook: active, ...windowOf(input, now), ...choice };
    // The webhook is locked, so no other replay can begin in the meantime.
    const running = await findIdenticalReplay(tx, window, now);
    if (running) {
      throw invalid(
        'replay',
        `The same replay is already running: ${running.uuid}. Wait until it is done, or cancel it first.`,
      );
    }
    const all = await countRest(tx, window, { counted, at });
    return await beginReplay(tx, actor, { ...window, webhook: active, counted: all, now });
  };
  const replay = await ctx.db.transaction(begin);
  return { kind: 'begun', replay: describeReplay(replay, 0) };
}

/** What is wrong with the window, for one response. */
export async function findWindowProblems(
  { clock }: Pick<Context, 'clock'>,
  { since, until }: Partial<Window>,
): Promise<ErrorDetails> {
  if (since === undefined) return {};
  return await problemsOf(() => windowOf({ since, until }, clock.now()));
}

type Window = { since: string; until?: string | undefined };

/** @throws ServiceError VALIDATION_ERROR on an empty window */
function windowOf(input: Window, now: Date): { since: Date; until: Date } {
  const since = new Date(input.since);
  const given = input.until === undefined ? now : new Date(input.until);
  const until = given < now ? given : now;
  if (since >= until) {
    throw invalid('since', 'Use a time in the past, before until.');
  }
  return { since, until };
}
