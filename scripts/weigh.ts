// `npm run weigh`: measures how much gzipped JavaScript each page loads before it works, from
// Next's statistics of the last build. It fails if a settings page is heavier than allowed, or 5 %
// heavier than recorded. `-- --record` records the current weights. `-- --timed` also measures
// times, with its own service and browser.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { heaviestBytes, judgeWeights, weighPages } from './dashboard/page-weight.ts';
import type { BuiltPage, RecordedWeights } from './dashboard/page-weight.ts';

// Throws for an option that does not exist, before anything is built.
const { values: options } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    timed: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const recordPath = `${root}/scripts/dashboard/recorded-weights.json`;
if ((await buildDashboardIfChanged()) !== 0) process.exit(1);

const statistics = readFileSync(`${root}/.next/diagnostics/route-bundle-stats.json`, 'utf8');
const weights = weighPages(JSON.parse(statistics) as BuiltPage[], (path) =>
  readFileSync(`${root}/${path}`),
);
if (options.record) {
  const recorded = Object.fromEntries(weights.map(({ route, bytes }) => [route, bytes]));
  writeFileSync(recordPath, `${JSON.stringify(recorded, null, 2)}\n`);
}
const recorded = JSON.parse(readFileSync(recordPath, 'utf8')) as RecordedWeights;
const judged = judgeWeights(weights, recorded);
const inKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

console.log(
  `First-load JavaScript, gzipped (at most ${inKilobytes(heaviestBytes)} a page, and 5 % more than recorded)`,
);
for (const { route, bytes, fault } of judged) {
  console.log(`${inKilobytes(bytes).padStart(10)}  ${route}${fault && `  ${fault}`}`);
}
let isWell = judged.every(({ fault }) => fault === '');
if (options.timed) {
  // Loaded late, because it needs a browser and the service.
  const { measureTimes } = await import('./dashboard/timing/measure-times.ts');
  isWell = (await measureTimes()) && isWell;
}
if (!isWell) process.exitCode = 1;
