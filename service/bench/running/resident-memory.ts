import { readFileSync } from 'node:fs';

/**
 * The memory of a process and its child processes: the private memory of each, and once the files
 * that they share, which belong to Node. Only Linux reports this.
 */
export function residentMiB(pid: number): number {
  const all = processesOf(pid).map(readStatus);
  const own = all.reduce(
    (sum, status) => sum + kiB(status, 'RssAnon') + kiB(status, 'RssShmem'),
    0,
  );
  const files = Math.max(...all.map((status) => kiB(status, 'RssFile')));
  return (own + files) / 1024;
}

function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [
    pid,
    ...(children === '' ? [] : children.split(' ').flatMap((child) => processesOf(+child))),
  ];
}

function readStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}

function kiB(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
}

/** Watches a process; returns its largest memory, and how much that is above the start. */
export function watchMemory(
  pid: number,
  everyMs = 20,
): { stop(): { maxMiB: number; addedMiB: number } } {
  const first = residentMiB(pid);
  let maxMiB = first;
  const watch = setInterval(() => {
    maxMiB = Math.max(maxMiB, residentMiB(pid));
  }, everyMs);
  return {
    stop() {
      clearInterval(watch);
      return { maxMiB, addedMiB: maxMiB - first };
    },
  };
}
