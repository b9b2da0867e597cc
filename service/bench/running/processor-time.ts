import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the clock of the kernel is. */
const tickUs = 10_000;

/**
 * The processor time that a process has used, in microseconds. A busy machine affects it much less
 * than wall-clock time. Only Linux reports it for other processes; null elsewhere.
 */
export function processorTimeOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the process comes before, in parentheses, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickUs;
  } catch {
    return null;
  }
}
