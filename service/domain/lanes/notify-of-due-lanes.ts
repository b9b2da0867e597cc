import type { Context } from '../../context.ts';
import { lanesDueMessage, laneChannel } from './channel.ts';

/** Notifies the workers of all processes that lanes may be due. */
export async function notifyOfDueLanes({ notifier }: Pick<Context, 'notifier'>): Promise<void> {
  await notifier.publish(laneChannel, lanesDueMessage);
}
