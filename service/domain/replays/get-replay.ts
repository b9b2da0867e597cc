import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeReplay } from './describe-replay.ts';
import { findReplay } from './find-replay.ts';
import { countWaiting } from './store/replays.ts';

/** One replay of the actor's account, with its progress. @throws ServiceError NOT_FOUND */
export async function getReplay(
  ctx: Context,
  actor: Actor,
  input: { replay: string },
): Promise<Replay> {
  const replay = await findReplay(ctx, actor, input);
  return describeReplay(replay, await countWaiting(ctx.db, replay));
}
