import { LaneTouches } from '../../../domain/lanes/lane-touches.ts';

// Loaded before `service/main.ts` in a process of its own: it ends as by `kill -9` where it has
// committed an event and told nobody yet.
LaneTouches.prototype.add = (webhookIds) => {
  if (webhookIds.length > 0) process.kill(process.pid, 'SIGKILL');
};
