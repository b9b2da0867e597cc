import type { MeasuredRow } from './results.ts';

const labelWidth = 52;

/** A line of the table: the figures of a row, its target, and the distance to it. */
export function describeRow(row: MeasuredRow): string {
  const label = `${row.name}, ${row.engine}`.padEnd(labelWidth);
  const figures = [
    `${shown(row.value)} ${row.unit}`,
    ...(row.yardstick === null ? [] : [`yardstick ${shown(row.yardstick)}`]),
    ...(row.ratio === null ? [] : [`ratio ${shown(row.ratio)}`]),
    describeSpread(row),
    ...Object.entries(row.figures).map(([name, value]) => `${name} ${shown(value)}`),
    ...(row.target ? [describeTarget(row)] : []),
  ];
  return `${label} ${figures.join('  ')}  [load ${row.load.before} to ${row.load.after}]`;
}

/** How far the samples of a row spread around their median. */
export function describeSpread({ samples, spread }: MeasuredRow): string {
  return samples.length === 1 ? '(one sample)' : `± ${Math.round(spread * 100)} %`;
}

/** The target of a row, and whether it is met. */
function describeTarget(row: MeasuredRow): string {
  if (!row.target) return '';
  return `${boundOf(row)}: ${row.isMet ? 'met' : `not met, ${describeDistance(row)}`}`;
}

export function boundOf({ target, better, unit }: MeasuredRow): string {
  if (!target) return '–';
  const sign = better === 'higher' ? '≥' : '≤';
  return `${sign} ${shown(target.bound)}${target.of === 'value' ? ` ${unit}` : ''}`;
}

/** How far the figure of a row is from its target, in the target's terms. */
export function describeDistance({ target, better, ratio, value }: MeasuredRow): string {
  if (!target) return '';
  const part = ((target.of === 'value' ? value : ratio) ?? value) / target.bound;
  return better === 'higher' ? `${Math.floor(part * 100)} % of it` : `${shown(part)} times it`;
}

/** With as many digits as are meaningful. */
export function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return value.toFixed(Math.abs(value) >= 0.1 || value === 0 ? 2 : 3);
}
