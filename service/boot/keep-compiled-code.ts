import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where the compiled code of a start is cached, so that the next start takes less time. */
export const compileCacheFolder = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
);

/**
 * From now on modules are loaded from the cache, and written to it by `flushCompileCache` or when
 * the process ends. If the folder cannot be written, nothing changes.
 */
export function keepCompiledCode(folder = compileCacheFolder): void {
  enableCompileCache(folder);
}
