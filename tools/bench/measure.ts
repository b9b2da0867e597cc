import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

export type Engine = 'pglite' | 'postgresql';

/** How a figure is shown and judged. */
type Scale = { unit: string; isHigherBetter: boolean; isRatio: boolean; target?: Targets };
/** One target for both engines, or one for each engine that has one. */
type Targets = number | Partial<Record<Engine, number>>;

/** A rate. Its target is for the ratio to the yardstick. */
export const perSecond = (target?: Targets): Scale => ({
  unit: 'per s',
  isHigherBetter: true,
  isRatio: true,
  ...(target !== undefined && { target }),
});
export const milliseconds = (target?: Targets) => lowerIsBetter('ms', target);
export const mebibytes = (target?: Targets) => lowerIsBetter('MiB', target);

function lowerIsBetter(unit: string, target?: Targets): Scale {
  return {
    unit,
    isHigherBetter: false,
    isRatio: false,
    ...(target !== undefined && { target }),
  };
}

/** A figure, and the mean of the yardstick just before and after it, if there is one. */
export type Sample = { value: number; yardstick?: number };

/** A row and what was measured. The figures are medians of the samples. */
export type MeasuredRow = Omit<Scale, 'target'> & {
  /** Such as `api: GET /api-key`. */
  name: string;
  engine: Engine;
  value: number;
  ratio: number | null;
  /** Half the distance between the lowest and the highest ratio (or value), as a part of it. */
  spread: number;
  /** The ratio of processor times, which other work on the machine hardly changes. */
  processorRatio: number | null;
  target: number | null;
  load: number;
};

/** The options of a bench, and where it adds its rows. */
export type BenchRun = {
  /** Whether samples are long enough for figures that people rely on. */
  isFull: boolean;
  engines: readonly Engine[];
  add(
    name: string,
    scale: Scale,
    measured: { engine: Engine; samples: readonly Sample[]; processor?: readonly Sample[] },
  ): void;
};

export type Bench = (run: BenchRun) => Promise<void>;

/** Prints each row when it is added. */
export function createRun(
  options: Pick<BenchRun, 'isFull' | 'engines'>,
): BenchRun & { measured: MeasuredRow[] } {
  const measured: MeasuredRow[] = [];
  return {
    ...options,
    measured,
    add(name, { target, ...shown }, { engine, samples, processor }) {
      const ratios = ratiosOf(samples);
      const values = samples.map(({ value }) => value);
      const row = {
        ...shown,
        name,
        engine,
        value: median(values),
        ratio: ratios.length > 0 ? median(ratios) : null,
        spread: spreadOf(ratios.length > 0 ? ratios : values),
        // Inverted, because a faster service takes less time.
        processorRatio: processor ? 1 / median(ratiosOf(processor)) : null,
        target: (typeof target === 'object' ? target[engine] : target) ?? null,
        load: loadavg()[0] ?? 0,
      };
      measured.push(row);
      console.log(describeRow(row).join(' | '));
    },
  };
}

/** The cells of a row of the table. */
function describeRow(row: MeasuredRow): string[] {
  const { target, isHigherBetter } = row;
  const reached = (row.isRatio ? row.ratio : row.value) ?? 0;
  const isMet = target !== null && (isHigherBetter ? reached >= target : reached <= target);
  return [
    row.name,
    row.engine,
    `${format(row.value)} ${row.unit}`,
    row.ratio === null ? '–' : format(row.ratio),
    `± ${Math.round(row.spread * 100)} %`,
    row.processorRatio === null ? '–' : format(row.processorRatio),
    target === null ? '–' : `${isHigherBetter ? '≥' : '≤'} ${format(target)}`,
    target === null ? '–' : isMet ? 'yes' : `**no**, ${format(reached / target)} of it`,
    row.load.toFixed(1),
  ];
}

/** Compares rows with those of an earlier run: the ratios, or the figures without a yardstick. */
export function compareRows(
  before: readonly MeasuredRow[],
  now: readonly MeasuredRow[],
): { lines: string[]; worse: number } {
  let worse = 0;
  const lines = now.flatMap((row) => {
    const earlier = before.find((one) => one.name === row.name && one.engine === row.engine);
    if (!earlier) return [];
    const change = (row.ratio ?? row.value) / (earlier.ratio ?? earlier.value) - 1;
    // The samples spread this far around their medians, so a smaller change may be random.
    const tolerated = Math.max(0.05, earlier.spread + row.spread);
    const isWorse = (row.isHigherBetter ? -change : change) > tolerated;
    if (isWorse) worse += 1;
    const percent = `${change > 0 ? '+' : ''}${Math.round(change * 100)} %`;
    return [`${row.name}, ${row.engine}: ${percent}${isWorse ? '  WORSE' : ''}`];
  });
  return { lines, worse };
}

/**
 * Measures a number of times, with the yardstick before the first and after each measurement, so
 * that other work on the machine slows both down.
 */
export async function alternate<Figures>(
  times: number,
  { yardstick, measure }: { yardstick: () => Promise<Figures>; measure: () => Promise<Figures> },
): Promise<(figure: (of: Figures) => number) => Sample[]> {
  const taken: { measured: Figures; around: [Figures, Figures] }[] = [];
  let before = await yardstick();
  while (taken.length < times) {
    const measured = await measure();
    const after = await yardstick();
    taken.push({ measured, around: [before, after] });
    before = after;
  }
  return (figure) =>
    taken.map(({ measured, around: [one, other] }) => ({
      value: figure(measured),
      yardstick: (figure(one) + figure(other)) / 2,
    }));
}

/** @throws if there are no values */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [upper, lower] = [sorted[sorted.length >> 1], sorted[(sorted.length - 1) >> 1]];
  if (upper === undefined || lower === undefined) throw new Error('no samples');
  return (upper + lower) / 2;
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function ratiosOf(samples: readonly Sample[]): number[] {
  return samples.flatMap(({ value, yardstick }) =>
    yardstick === undefined ? [] : value / yardstick,
  );
}

function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / (median(values) || 1);
}

/** With as many digits as are meaningful. */
function format(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 || value === 0 ? 2 : 3);
}

/** The processor time of a process so far, in microseconds. Linux counts hundredths of a second. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process comes before, in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Watches the memory of a process and of its child processes, in MiB, until `stop`. */
export function watchMemory(pid: number): { stop(): { max: number; added: number } } {
  const first = residentMiB(pid);
  let max = first;
  const watch = setInterval(() => (max = Math.max(max, residentMiB(pid))), 50);
  return {
    stop() {
      clearInterval(watch);
      return { max, added: max - first };
    },
  };
}

/** The private memory of a process and its child processes, and once the files that they share. */
export function residentMiB(pid: number): number {
  const statuses = processesOf(pid).map((each) => readFileSync(`/proc/${each}/status`, 'utf8'));
  const kiB = (status: string, field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const own = statuses.map((status) => kiB(status, 'RssAnon') + kiB(status, 'RssShmem'));
  const files = Math.max(...statuses.map((status) => kiB(status, 'RssFile')));
  return (own.reduce((sum, each) => sum + each) + files) / 1024;
}

function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(processesOf))];
}
