import type { Context } from '../../context.ts';
import {
  changedLanesPrefix,
  changedWebhookPrefix,
  laneChannel,
  lanesDueMessage,
} from './channel.ts';

/** Tells a worker which lanes are due or changed. After a lost connection, any may be due. */
export function subscribeToLanes(
  { notifier }: Pick<Context, 'notifier'>,
  on: {
    due: () => void;
    changed: (webhookIds: readonly number[]) => void;
    webhookChanged: (webhookId: number) => void;
  },
): void {
  notifier.subscribe(laneChannel, (message) => {
    if (message === lanesDueMessage) on.due();
    if (message.startsWith(changedLanesPrefix)) {
      on.changed(message.slice(changedLanesPrefix.length).split(',').map(Number));
    }
    if (message.startsWith(changedWebhookPrefix))
      on.webhookChanged(Number(message.slice(changedWebhookPrefix.length)));
  });
  notifier.onReconnect(() => on.due());
}

/** Notifies the workers of all processes that lanes may be due. */
export async function notifyOfDueLanes({ notifier }: Pick<Context, 'notifier'>): Promise<void> {
  await notifier.publish(laneChannel, lanesDueMessage);
}
