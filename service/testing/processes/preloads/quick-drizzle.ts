import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process. For each imported file of drizzle-orm,
// Node parses the 180 KB of that package's manifest again, which takes half a second of each start.
// Imports between its own files need no manifest.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const from = context.parentURL ?? '';
    if (!/^\.{1,2}\/.+\.js$/.test(specifier) || !from.includes('/node_modules/drizzle-orm/')) {
      return nextResolve(specifier, context);
    }
    return { url: new URL(specifier, from).href, format: 'module', shortCircuit: true };
  },
});
