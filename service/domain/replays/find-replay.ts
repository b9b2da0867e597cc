import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { findReplayRow } from './store/replays.ts';
import type { ReplayRow } from './store/replays.ts';

/**
 * A replay of the actor's account. A replay of a deleted webhook is not found.
 * @throws ServiceError NOT_FOUND
 */
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
