// `npm run bench` measures API calls, refusals, deliveries and their latency in about five minutes;
// `npm run bench -- drain` measures one of these; `-- --full` measures everything, with longer
// samples. With TEST_DATABASE_URL it measures PostgreSQL as well as the embedded database. Each
// figure is the median of three. It is measured in turn with a yardstick, because on a busy machine
// only the ratio of both is meaningful. `-- --compare FILE` compares the ratios with those
// of an earlier run, and fails if one got worse. `wrk` sends the calls if it is installed;
// otherwise, or with `-- --own-client`, our own client does. `-- --publish` stores the results for
// docs/bench/, which `npm run docs` then writes.
import { parseArgs } from 'node:util';
import { benchApiCalls } from './benches/api-calls.ts';
import { benchAudit } from './benches/audit.ts';
import { benchDesk } from './benches/desk.ts';
import { benchDrain } from './benches/drain.ts';
import { benchFairness } from './benches/fairness.ts';
import { benchGrowth } from './benches/growth.ts';
import { benchIsolation } from './benches/isolation.ts';
import { benchLatency } from './benches/latency.ts';
import { benchMemory } from './benches/memory.ts';
import { benchRefusals } from './benches/refusals.ts';
import { chooseClient } from './load/choose-client.ts';
import { createRun } from './running/bench-run.ts';
import type { Bench } from './running/bench-run.ts';
import { compareRows } from './running/compare.ts';
import { describeMachine, loadNow } from './running/machine.ts';
import { publishResults, readResults, writeResults } from './running/result-file.ts';
import type { rows } from './rows.ts';
import { engines } from './setup/open-installation.ts';

type Entry = {
  measure: Bench;
  /** Whether it is measured only with --full, or when it is named. */
  isOnlyInFull?: boolean;
};

/** `rows.ts` lists the rows of each bench, with their targets. */
const benches: Record<keyof typeof rows, Entry> = {
  api: { measure: benchApiCalls },
  drain: { measure: benchDrain },
  latency: { measure: benchLatency },
  refusals: { measure: benchRefusals },
  isolation: { measure: benchIsolation, isOnlyInFull: true },
  fairness: { measure: benchFairness, isOnlyInFull: true },
  memory: { measure: benchMemory, isOnlyInFull: true },
  audit: { measure: benchAudit, isOnlyInFull: true },
  desk: { measure: benchDesk, isOnlyInFull: true },
  growth: { measure: benchGrowth, isOnlyInFull: true },
};

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    compare: { type: 'string' },
    publish: { type: 'boolean', default: false },
    'own-client': { type: 'boolean', default: false },
  },
});
const unknown = named.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  const known = Object.keys(benches).join(', ');
  throw new Error(`no such bench: ${unknown.join(', ')}; there are ${known}`);
}
// Checked before anything is measured, since the file may not be one of ours.
const earlier = options.compare === undefined ? null : await readResults(options.compare);

const client = await chooseClient({ isOwn: options['own-client'] });
const about = await describeMachine(engines);
console.log(
  `${about.date}, commit ${about.commit}${about.isChanged ? ' and changes' : ''}, ` +
    `Node ${about.machine.node}, ${about.machine.cores} cores, calls sent by ${client.name}`,
);
const run = createRun({ isFull: options.full, engines, client, print: console.log });
for (const [name, { measure, isOnlyInFull = false }] of Object.entries(benches)) {
  const isMeasured = named.length > 0 ? named.includes(name) : options.full || !isOnlyInFull;
  if (!isMeasured) continue;
  console.log(`\n${name} (load ${loadNow()})`);
  await measure(run);
}
const measured = { ...about, isFull: options.full, rows: [...run.rows] };
console.log(`\nwritten to ${await writeResults(measured, named)}`);
if (options.publish) await publishResults(measured);

if (earlier) {
  const { lines, worse } = compareRows(earlier, run.rows);
  console.log(`\ncompared with ${earlier.commit} of ${earlier.date}`);
  for (const line of lines) console.log(line);
  if (lines.length === 0) throw new Error('none of its rows was measured now');
  process.exitCode = worse.length === 0 ? 0 : 1;
}
