import { workerPaces } from '../../../delivery/worker-pace.ts';

// Loaded before `service/main.ts` in a process of its own: what nobody was told of is looked for
// while a test waits.
for (const pace of Object.values(workerPaces)) pace.sweepMs = 500;
