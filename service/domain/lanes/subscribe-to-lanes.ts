import type { Context } from '../../context.ts';
import { changedPrefix, dueNews, laneChannel, webhookPrefix } from './channel.ts';

/**
 * Notifies a worker of changed lanes and webhooks; after a lost connection, that any lane may have
 * changed.
 */
export function subscribeToLanes(
  { notifier }: Pick<Context, 'notifier'>,
  on: {
    due: () => void;
    changed: (webhookIds: readonly number[]) => void;
    webhookChanged: (webhookId: number) => void;
  },
): void {
  notifier.subscribe(laneChannel, (news) => {
    if (news === dueNews) on.due();
    if (news.startsWith(changedPrefix)) {
      on.changed(news.slice(changedPrefix.length).split(',').map(Number));
    }
    if (news.startsWith(webhookPrefix)) on.webhookChanged(Number(news.slice(webhookPrefix.length)));
  });
  notifier.onReconnect(() => on.due());
}
