import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { countWaiting, findReplayRow, type ReplayRow } from './store/replays.ts';

/** One replay of the actor's account, with its progress. @throws ServiceError NOT_FOUND */
export async function getReplay(
  ctx: Context,
  actor: Actor,
  input: { replay: string },
): Promise<Replay> {
  const replay = await findReplay(ctx, actor, input);
  return describeReplay(replay, await countWaiting(ctx.db, replay));
}

/** A replay of the account whose webhook is not deleted. @throws ServiceError NOT_FOUND */
export async function findReplay(
  ctx: Context,
  actor: Actor,
  input: { replay: string },
): Promise<ReplayRow> {
  const reference = parseResourceReference(input.replay);
  const found =
    reference?.kind === 'uuid' && (await findReplayRow(ctx.db, actor.accountId, reference.uuid));
  if (!found) throw notFound();
  return found;
}

/** @param waiting how many of its deliveries were not sent since it queued them */
export function describeReplay(row: ReplayRow, waiting: number): Replay {
  return {
    uuid: row.uuid,
    webhook_id: row.webhookId,
    since: formatApiTime(row.since),
    until: formatApiTime(row.until),
    status_filter: row.statusFilter,
    include_pending: row.sendsPending,
    include_earlier: row.sendsEarlier,
    state: row.state,
    total: row.total,
    done: row.done,
    waiting,
    created_at: formatApiTime(row.createdAt),
  };
}
