// `npm run weigh`: how much JavaScript a page asks for before it works, gzipped, from Next's own
// statistics of the last build. Fails when a settings page is heavier than it may be.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { heaviestBytes, weighPages } from './dashboard/page-weight.ts';
import type { BuiltPage } from './dashboard/page-weight.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
if ((await buildDashboardIfChanged()) !== 0) process.exit(1);

const statistics = readFileSync(`${root}/.next/diagnostics/route-bundle-stats.json`, 'utf8');
const { shellBytes, pages } = weighPages(JSON.parse(statistics) as BuiltPage[], (path) =>
  readFileSync(`${root}/${path}`),
);
const inKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

console.log(
  `First-load JavaScript, gzipped (at most ${inKilobytes(heaviestBytes)} a settings page)`,
);
console.log(`${inKilobytes(shellBytes).padStart(10)}  the bare shell`);
for (const { route, bytes } of pages) {
  const verdict = bytes > heaviestBytes ? '  TOO HEAVY' : '';
  console.log(`${inKilobytes(bytes).padStart(10)}  ${route}${verdict}`);
}
if (pages.some(({ bytes }) => bytes > heaviestBytes)) process.exitCode = 1;
