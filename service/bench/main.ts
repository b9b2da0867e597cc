// `npm run bench` measures everything; `npm run bench -- drain` that alone. With TEST_DATABASE_URL
// PostgreSQL is measured beside the embedded database. Each figure stands beside a yardstick of the
// same run: on a machine that is busy with other things only their ratio means something. `--quick`
// is for developing: fairness is measured once, in shorter phases.
import { availableParallelism, loadavg } from 'node:os';
import { benchApiCalls } from './api-calls.ts';
import { benchAudit } from './audit.ts';
import { benchDrain } from './drain.ts';
import { benchFairness } from './fairness.ts';
import { benchIsolation } from './isolation.ts';
import { benchLatency } from './latency.ts';

const benches = new Map<string, (options: { isQuick: boolean }) => Promise<void>>([
  ['latency', benchLatency],
  ['drain', benchDrain],
  ['isolation', benchIsolation],
  ['fairness', benchFairness],
  ['api', benchApiCalls],
  ['audit', benchAudit],
]);

const options = { isQuick: process.argv.includes('--quick') };
const named = process.argv.slice(2).filter((word) => word !== '--quick');
const unknown = named.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  throw new Error(
    `no such bench: ${unknown.join(', ')}; there are ${[...benches.keys()].join(', ')}`,
  );
}

console.log(
  `${new Date().toISOString()}, Node ${process.version}, ${availableParallelism()} cores`,
);
for (const [name, bench] of benches) {
  if (named.length > 0 && !named.includes(name)) continue;
  const load = loadavg().map((average) => average.toFixed(1));
  console.log(`\n${name} (load ${load.join(' ')} before)`);
  await bench(options);
}
