import { fileURLToPath } from 'node:url';

/**
 * Where Node caches the compiled code of a start, so that the next start takes less time and
 * memory. Processes get it in `NODE_COMPILE_CACHE`, as package.json sets it for `npm start`: unlike
 * `enableCompileCache`, this also works for the first module, so that Node does not load its
 * compiler for TypeScript. If the folder cannot be written, nothing is cached.
 */
export const compileCacheFolder = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
);
