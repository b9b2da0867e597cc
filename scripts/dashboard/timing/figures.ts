import { availableParallelism, loadavg } from 'node:os';

/** A measured figure with its target: the most that it should be. */
export type Figure = {
  what: string;
  value: number;
  max: number;
  unit: 'ms' | 'frames' | 'shift' | 'times';
};

/** The median of several measurements. */
export function medianOf(values: readonly number[]): number {
  return percentileOf(values, 0.5);
}

/** @param part from 0 to 1 */
export function percentileOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

/** How far a time may exceed its target before it fails: no two runs take equally long. */
const tolerance = 1.25;

/**
 * Whether a figure meets its target. Times are judged only on a quiet machine, where the load does
 * not exceed the number of cores; frames and shifts are the same on any machine.
 * @param load the load average during the measurement
 */
export function judgeFigure({ value, max, unit }: Figure, load: number): 'met' | 'missed' | null {
  if (unit === 'frames' || unit === 'shift') return value <= max ? 'met' : 'missed';
  if (value <= max) return 'met';
  if (load > availableParallelism()) return null;
  return value <= max * tolerance ? 'met' : 'missed';
}

/** Prints figures below a heading; returns whether none of them misses its target. */
export function printFigures(heading: string, figures: readonly Figure[]): boolean {
  const [load = 0] = loadavg();
  console.log(`\n${heading} (load ${load.toFixed(1)})`);
  return figures
    .map((figure) => {
      const { what, value, max, unit } = figure;
      const verdict = judgeFigure(figure, load);
      const shown = unit === 'shift' ? value.toFixed(3) : value.toFixed(unit === 'frames' ? 0 : 1);
      console.log(`${shown.padStart(10)}  of ${max} ${unit}  ${what}${notes[verdict ?? 'busy']}`);
      return verdict !== 'missed';
    })
    .every(Boolean);
}

const notes = { met: '', missed: '  MISSED', busy: '  not judged: the machine is busy' };
