import type { Context } from '../../context.ts';
import { changedPrefix, dueNews, laneChannel, webhookPrefix } from './channel.ts';

/**
 * Notifies a worker of due and changed lanes and of changed webhooks. After a lost connection, it
 * reports that lanes may be due.
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
