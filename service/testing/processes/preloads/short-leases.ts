import { workerPaces } from '../../../delivery/worker-pace.ts';

// Loaded before `service/main.ts` in a separate process: leases are so short that a test can wait
// until they expire and are noticed.
for (const pace of Object.values(workerPaces)) {
  pace.leaseMs = 2000;
  pace.pollMs = 500;
}
