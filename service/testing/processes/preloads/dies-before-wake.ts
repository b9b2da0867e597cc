import { LaneNotifier } from '../../../domain/lanes/lane-notifier.ts';

// Loaded before `service/main.ts` in a separate process, which ends as with `kill -9` after it has
// committed an event and before it notifies a worker.
LaneNotifier.prototype.queue = (webhookIds) => {
  if (webhookIds.length > 0) process.kill(process.pid, 'SIGKILL');
};
