import { shown } from './describe-row.ts';
import { figureOf } from './results.ts';
import type { MeasuredRow, Results } from './results.ts';

/** The smallest tolerance, however little the samples differ. */
const minTolerance = 0.05;

/** A single sample does not show how much others would differ from it. */
const toleranceOfOneSample = 0.25;

export type Comparison = {
  /** The table: the figure of each row before and now, the change, and the tolerance. */
  lines: string[];
  /** The rows that got worse by more than their tolerance. */
  worse: MeasuredRow[];
};

/**
 * Compares each row with the same row of an earlier run: their ratios, or their values if there is
 * no yardstick. Rows that one of the runs did not measure are left out.
 */
export function compareRows(
  earlier: Pick<Results, 'rows'>,
  now: readonly MeasuredRow[],
): Comparison {
  const lines: string[] = [];
  const worse: MeasuredRow[] = [];
  for (const row of now) {
    const label = `${row.bench}: ${row.name}, ${row.engine}`.padEnd(64);
    const before = earlier.rows.find((each) => isSameRow(each, row));
    if (!before) continue;
    if (before.client !== row.client) {
      lines.push(`${label} not compared: ${before.client} before, ${row.client} now`);
      continue;
    }
    const change = figureOf(row) / figureOf(before) - 1;
    const tolerance = toleranceOf(before, row);
    const isWorse = (row.better === 'higher' ? -change : change) > tolerance;
    if (isWorse) worse.push(row);
    lines.push(
      `${label} ${shown(figureOf(before))} before, ${shown(figureOf(row))} now, ` +
        `${percent(change)} (tolerated ${percent(tolerance)})${isWorse ? '  WORSE' : ''}`,
    );
  }
  return { lines, worse };
}

/**
 * By what part a row may get worse. The samples of both runs spread this far around their medians,
 * so a smaller change may be random.
 */
export function toleranceOf(before: MeasuredRow, now: MeasuredRow): number {
  const isSingle = before.samples.length === 1 || now.samples.length === 1;
  const least = isSingle ? toleranceOfOneSample : minTolerance;
  return Math.max(least, before.spread + now.spread);
}

function isSameRow(one: MeasuredRow, other: MeasuredRow): boolean {
  return one.bench === other.bench && one.name === other.name && one.engine === other.engine;
}

function percent(part: number): string {
  return `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)} %`;
}
