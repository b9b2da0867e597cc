import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of this thread before it returns. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** How many bytes of data this thread holds after garbage collection. */
export function usedMemoryBytes(): { heap: number; buffers: number } {
  // Objects that only a finalized object referenced are collected in a second round.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed - codeBytes(), buffers: external };
}

/** Code is compiled repeatedly, with more optimizations, long after it ran first. */
function codeBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) =>
    /code|trusted/.test(name),
  );
  return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
}
