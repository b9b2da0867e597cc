import type { HttpClient } from '../load/http-client.ts';
import type { Engine, Row, Target } from '../rows.ts';
import { describeRow } from './describe-row.ts';
import { loadNow } from './machine.ts';
import type { MeasuredRow } from './results.ts';
import { median, ratioOf, spreadOf } from './sample.ts';
import type { Sample } from './sample.ts';

/** The options of a bench, and where it adds its rows. */
export type BenchRun = {
  /** Whether samples are long enough for figures that people rely on. */
  isFull: boolean;
  engines: readonly Engine[];
  /** The client that sends calls over HTTP. */
  client: HttpClient;
  /** Prints a row and adds it to the results. */
  add(row: Row, measured: Measured): void;
};

export type Measured = {
  engine: Engine;
  samples: readonly Sample[];
  /** The client that sent the requests, if not the bench itself. */
  client?: string;
  /** Further measured figures. */
  figures?: Record<string, number>;
};

export type Bench = (run: BenchRun) => Promise<void>;

export function createRun(options: {
  isFull: boolean;
  engines: readonly Engine[];
  client: HttpClient;
  print: (line: string) => void;
}): BenchRun & { rows: readonly MeasuredRow[] } {
  const { print, ...about } = options;
  const rows: MeasuredRow[] = [];
  let loadBefore = loadNow();
  return {
    ...about,
    rows,
    add(row, measured) {
      const load = { before: loadBefore, after: loadNow() };
      const added = judge(row, measured, load);
      rows.push(added);
      print(describeRow(added));
      loadBefore = load.after;
    },
  };
}

export function judge(row: Row, measured: Measured, load: MeasuredRow['load']): MeasuredRow {
  const { engine, client = null, figures = {} } = measured;
  const samples = measured.samples.map((sample) => ({ ...sample, ratio: ratioOf(sample) }));
  const values = samples.map(({ value }) => value);
  const yardsticks = samples.flatMap(({ yardstick }) => yardstick ?? []);
  const ratios = samples.flatMap((sample) => sample.ratio ?? []);
  const hasYardstick = ratios.length > 0;
  const value = median(values);
  const ratio = hasYardstick ? median(ratios) : null;
  const target = row.targets[engine] ?? null;
  return {
    bench: row.bench,
    name: row.name,
    engine,
    unit: row.unit,
    better: row.better,
    client,
    load,
    samples,
    value,
    yardstick: hasYardstick ? median(yardsticks) : null,
    ratio,
    spread: spreadOf(hasYardstick ? ratios : values),
    target,
    isMet: target && isReached(target, { better: row.better, value, ratio }),
    figures,
  };
}

function isReached(
  { of, bound }: Target,
  { better, value, ratio }: Pick<MeasuredRow, 'better' | 'value' | 'ratio'>,
): boolean {
  const reached = of === 'value' ? value : ratio;
  if (reached === null) throw new Error('a target of a ratio needs a yardstick');
  return better === 'higher' ? reached >= bound : reached <= bound;
}
