import type { Context } from '../../context.ts';
import { dueNews, laneChannel } from './channel.ts';

/** Has the workers of all processes look for lanes that are due. */
export async function notifyOfDueLanes({ notifier }: Pick<Context, 'notifier'>): Promise<void> {
  await notifier.publish(laneChannel, dueNews);
}
