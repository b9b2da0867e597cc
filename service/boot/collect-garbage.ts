import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects some 40 MiB of garbage from the start, which V8 would keep while the process has little
 * to do. Takes about 50 ms.
 */
export function collectGarbage(): void {
  // Only contexts created after the flag was set have the function.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
