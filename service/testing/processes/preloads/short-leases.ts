import { workerPaces } from '../../../delivery/worker-pace.ts';

// Loaded before `service/main.ts` in a process of its own: leases that run out, and are found to
// have, while a test waits.
for (const pace of Object.values(workerPaces)) {
  pace.leaseMs = 2000;
  pace.pollMs = 500;
}
