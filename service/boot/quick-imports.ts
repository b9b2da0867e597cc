import { registerHooks } from 'node:module';
import type { ResolveHookSync } from 'node:module';

// Loaded before the modules of the service, for a faster start. Node looks for each imported file,
// for symbolic links in its path and for the manifest of its package. For drizzle-orm, Node 24
// reads that manifest again each time: it is long and lists every file.

type Resolved = ReturnType<ResolveHookSync>;

/** Where the modules of this repository are. */
const root = new URL('../../', import.meta.url).href;

/** What the imports of drizzle-orm in this repository resolve to, by their specifier. */
const resolved = new Map<string, Resolved>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    // `require` resolves to other files.
    if (!context.conditions.includes('import')) return nextResolve(specifier, context);
    const from = context.parentURL ?? '';
    const isOwn = from.startsWith(root) && !from.includes('/node_modules/');
    const url = isOwn ? locateOwnModule(specifier, from) : locateDrizzleModule(specifier, from);
    if (url !== null) {
      return { url, format: isOwn ? 'module-typescript' : 'module', shortCircuit: true };
    }
    if (!isOwn || !/^drizzle-orm(?:\/|$)/.test(specifier)) return nextResolve(specifier, context);
    const known = resolved.get(specifier) ?? nextResolve(specifier, context);
    resolved.set(specifier, known);
    return { ...known, shortCircuit: true };
  },
});

/** @returns null if the specifier names no TypeScript file by its path */
function locateOwnModule(specifier: string, from: string): string | null {
  if (!specifier.endsWith('.ts')) return null;
  if (specifier.startsWith('#')) return new URL(specifier.slice(1), root).href;
  return specifier.startsWith('.') ? new URL(specifier, from).href : null;
}

/** @returns null unless one file of drizzle-orm imports another */
function locateDrizzleModule(specifier: string, from: string): string | null {
  const isInside = from.includes('/node_modules/drizzle-orm/');
  return isInside && /^\.{1,2}\/.+\.js$/.test(specifier) ? new URL(specifier, from).href : null;
}
