import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of this thread, and returns when that is done. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** How many bytes of data this thread holds once the garbage is gone. */
export function usedMemoryBytes(): { heap: number; buffers: number } {
  // What only a finalized object held goes in a second round.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed - codeBytes(), buffers: external };
}

/** Code is compiled again and again, each time better, long after it ran first. */
function codeBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) =>
    /code|trusted/.test(name),
  );
  return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
}
