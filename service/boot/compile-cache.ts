import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where the compiled code of a start is kept for the next, which takes a fifth less processor time. */
export const compileCacheFolder = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
);

/** From now on modules are loaded from the cache. A folder that can't be written changes nothing. */
export function useCompileCache(): void {
  enableCompileCache(compileCacheFolder);
}

/** Writes down what is not in the cache yet, where there is one, so that a crash doesn't lose it. */
export function fillCompileCache(): void {
  flushCompileCache();
}
