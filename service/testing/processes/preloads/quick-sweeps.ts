import { workerPaces } from '../../../delivery/worker-pace.ts';

// Loaded before `service/main.ts` in a separate process: sweeps are so frequent that a test can
// wait for one.
for (const pace of Object.values(workerPaces)) pace.sweepMs = 500;
