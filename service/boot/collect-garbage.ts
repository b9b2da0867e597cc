import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects the garbage of the start, which V8 would keep while the process has little to do. */
export function collectGarbage(): void {
  // Only contexts created after the flag was set have the function.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
