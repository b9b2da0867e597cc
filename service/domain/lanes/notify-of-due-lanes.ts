import type { Context } from '../../context.ts';
import { lanesDueMessage, laneChannel } from './channel.ts';

/** Tells the workers of all processes to look for due lanes. */
export async function notifyOfDueLanes({ notifier }: Pick<Context, 'notifier'>): Promise<void> {
  await notifier.publish(laneChannel, lanesDueMessage);
}
