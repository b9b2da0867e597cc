import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  boundOf,
  describeDistance,
  describeSpread,
  shown,
} from '#service/bench/running/describe-row.ts';
import { publishedFolder } from '#service/bench/running/result-file.ts';
import { results } from '#service/bench/running/results.ts';
import type { MeasuredRow, Results } from '#service/bench/running/results.ts';

const engineNames = { pglite: 'PGlite', postgresql: 'PostgreSQL' } as const;

/** The folder of the chapters, and the file that summarizes them. */
const benchFolder = 'docs/bench';
export const benchSummary = `${benchFolder}/README.md`;

type PublishedBench = { bench: string; file: string; title: string; figures: readonly string[] };

/** The benches whose tables are written from published results, with their further figures. */
export const publishedBenches: readonly PublishedBench[] = [
  {
    bench: 'api',
    file: `${benchFolder}/calls.md`,
    title: 'API calls',
    figures: ['µs of processor', 'ratio by processor'],
  },
  {
    bench: 'refusals',
    file: `${benchFolder}/past-capacity.md`,
    title: 'Past capacity',
    figures: ['refused per s'],
  },
  {
    bench: 'latency',
    file: `${benchFolder}/publish-to-receive.md`,
    title: 'From publishing to receiving',
    figures: ['of it the commit'],
  },
  {
    bench: 'drain',
    file: `${benchFolder}/draining.md`,
    title: 'Draining',
    figures: ['µs of processor', 'ratio by processor'],
  },
  { bench: 'memory', file: `${benchFolder}/memory.md`, title: 'Memory', figures: [] },
];

/** Every target of a published bench, with what is reached on each engine. */
export function targetLines(): string[] {
  return [
    '| Chapter | What | PGlite | PostgreSQL |',
    '|---|---|---|---|',
    ...publishedBenches.flatMap(({ bench, file, title }) => {
      const rows = readPublished(bench).rows.filter(({ target }) => target !== null);
      const chapter = `[${title}](${file.slice(benchFolder.length + 1)})`;
      return [...new Set(rows.map(({ name }) => name))].map((name, index) => {
        const [pglite, postgresql] = (['pglite', 'postgresql'] as const).map((engine) =>
          describeReached(rows.find((row) => row.name === name && row.engine === engine)),
        );
        return `| ${index === 0 ? chapter : ''} | ${name} | ${pglite} | ${postgresql} |`;
      });
    }),
  ];
}

function describeReached(row: MeasuredRow | undefined): string {
  if (!row?.target) return '–';
  const reached =
    row.target.of === 'ratio' && row.ratio !== null
      ? `${shown(row.ratio)} ${describeSpread(row)}`
      : `${shown(row.value)} ${row.unit}`;
  const compared = `${reached} (${boundOf(row)})`;
  return row.isMet ? `met: ${compared}` : `**not met**: ${compared}, ${describeDistance(row)}`;
}

/** When and on which machine a bench was measured, and its rows. */
export function benchLines(bench: string, figures: readonly string[]): string[] {
  const published = readPublished(bench);
  const hasYardstick = published.rows.some(({ yardstick }) => yardstick !== null);
  const compared = hasYardstick ? ['Yardstick', 'Ratio'] : [];
  const heads = ['Row', 'Engine', 'Load', 'Figure', ...compared, ...figures, 'Target', 'Met'];
  return [
    describeRun(published),
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---').join('|')}|`,
    ...published.rows.map((row) => `| ${cellsOf(row, { hasYardstick, figures }).join(' | ')} |`),
  ];
}

function describeRun({ date, commit, isChanged, isFull, machine, engines, rows }: Results): string {
  const databases = [`PGlite ${engines.pglite}`];
  if (engines.postgresql !== null) databases.push(`PostgreSQL ${engines.postgresql}`);
  const client = rows.find((row) => row.client !== null)?.client;
  return (
    [
      `Measured on ${date.slice(0, 10)} at ${date.slice(11, 16)} UTC, commit ${commit}${isChanged ? ' with changes' : ''}, ${isFull ? 'long' : 'short'} samples`,
      `${machine.cores} cores of ${machine.processor}, Node ${machine.node.slice(1)}, ${databases.join(', ')}`,
      ...(client ? [`calls sent by ${client}`] : []),
    ].join('; ') + '.'
  );
}

function cellsOf(
  row: MeasuredRow,
  { hasYardstick, figures }: { hasYardstick: boolean; figures: readonly string[] },
): string[] {
  const { engine, load, ratio, yardstick, isMet } = row;
  return [
    row.name,
    engineNames[engine],
    `${shown(load.before)} to ${shown(load.after)}`,
    `${shown(row.value)} ${row.unit}`,
    ...(hasYardstick
      ? [
          yardstick === null ? '–' : shown(yardstick),
          ratio === null ? '–' : `${shown(ratio)} ${describeSpread(row)}`,
        ]
      : []),
    ...figures.map((name) => {
      const figure = row.figures[name];
      return figure === undefined ? '–' : shown(figure);
    }),
    boundOf(row),
    isMet === null ? '–' : isMet ? 'yes' : `no, ${describeDistance(row)}`,
  ];
}

function readPublished(bench: string): Results {
  const text = readFileSync(join(publishedFolder, `${bench}.json`), 'utf8');
  return results.parse(JSON.parse(text));
}
