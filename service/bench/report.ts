import { loadavg } from 'node:os';

const labelWidth = 44;

/** One line of the table: what was measured, each figure with its name, and the load at its end. */
export function row(label: string, figures: Record<string, number | string>): void {
  const cells = Object.entries(figures).map(([name, value]) => `${name} ${shown(value)}`);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  console.log(`${label.padEnd(labelWidth)} ${cells.join('  ')}  [load ${load}]`);
}

function shown(value: number | string): string {
  if (typeof value === 'string') return value;
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
