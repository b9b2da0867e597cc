import { readFileSync } from 'node:fs';

/** How much memory a process has, as the system sees it. Linux alone says so. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The most that a process has while it is watched, and by how much that is more than at the start. */
export function watchMemory(
  pid: number,
  everyMs = 20,
): { stop(): { mostMiB: number; addedMiB: number } } {
  const first = residentMiB(pid);
  let mostMiB = first;
  const watch = setInterval(() => {
    mostMiB = Math.max(mostMiB, residentMiB(pid));
  }, everyMs);
  return {
    stop() {
      clearInterval(watch);
      return { mostMiB, addedMiB: mostMiB - first };
    },
  };
}
