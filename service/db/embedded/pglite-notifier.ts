import type { Logger } from '../../log/log.ts';
import type { ClosableNotifier } from '../notifier.ts';
import type { EmbeddedClient } from './client/embedded-client.ts';

/**
 * A notifier on the embedded database, whose one connection receives its own notifications at the
 * commit.
 */
export function createPgliteNotifier(client: EmbeddedClient, log: Logger): ClosableNotifier {
  return {
    subscribe(channel, onMessage) {
      // Queries run in the order in which they were issued, so anything published after this call
      // is received.
      client.listen(channel, onMessage).catch((error: unknown) => {
        log.error({ err: error, channel }, 'cannot listen for notifications');
      });
    },
    onReconnect() {
      // The connection lives as long as the process.
    },
    async publish(channel, payload) {
      await client.query('select pg_notify($1, $2)', [channel, payload]);
    },
    async close() {
      // Closing the database ends listening.
    },
  };
}
