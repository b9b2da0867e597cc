// `npm run bench` measures API calls, refusals, latencies and the draining of a backlog in about
// five minutes; `npm run bench -- drain` measures what it names; `-- --full` measures everything,
// with longer samples. With TEST_DATABASE_URL it measures PostgreSQL too. `-- --out FILE` stores
// the rows, and `-- --compare FILE` fails if a row got worse than in such a file. The printed table
// is that of docs/bench.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchApi, benchRefusals } from './benches/api.ts';
import { benchMemory } from './benches/memory.ts';
import { benchAttention, benchDesk } from './benches/desk.ts';
import { benchEvents } from './benches/events.ts';
import { benchStreams } from './benches/streams.ts';
import { benchDrain, benchLatency } from './benches/deliveries.ts';
import { compareRows, createRun } from './measure.ts';
import type { Bench, MeasuredRow } from './measure.ts';

const benches: Record<string, Bench> = {
  api: benchApi,
  refusals: benchRefusals,
  latency: benchLatency,
  drain: benchDrain,
  memory: benchMemory,
  desk: benchDesk,
  attention: benchAttention,
  events: benchEvents,
  streams: benchStreams,
};
const usual = ['api', 'refusals', 'latency', 'drain'];

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    out: { type: 'string' },
    compare: { type: 'string' },
  },
});
const known = Object.keys(benches);
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`There is no bench ${unknown.join(', ')}. Choose from: ${known.join(', ')}.`);
}
// Read first, so that a missing file is reported before the measurement.
const before =
  options.compare === undefined
    ? null
    : (JSON.parse(readFileSync(options.compare, 'utf8')) as MeasuredRow[]);

const chosen = named.length > 0 ? named : options.full ? known : usual;
const engines = process.env['TEST_DATABASE_URL']
  ? (['pglite', 'postgresql'] as const)
  : (['pglite'] as const);
const run = createRun({ isFull: options.full, engines });
console.log('What | Engine | Figure | Ratio | Spread | By processor | Target | Met | Load');
console.log('--- | --- | --- | --- | --- | --- | --- | --- | ---');
for (const [name, bench] of Object.entries(benches)) if (chosen.includes(name)) await bench(run);

if (options.out !== undefined) {
  writeFileSync(options.out, `${JSON.stringify(run.measured, null, 2)}\n`);
}
if (before) {
  const { lines, worse } = compareRows(before, run.measured);
  console.log(`\n${lines.join('\n')}`);
  process.exitCode = worse > 0 ? 1 : 0;
}
