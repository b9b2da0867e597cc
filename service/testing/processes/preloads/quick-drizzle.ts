import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a process of its own. For each file of drizzle-orm that is
// imported, Node parses the 180 KB of that package's manifest again, half a second of each start.
// What its files import from one another needs no manifest.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const from = context.parentURL ?? '';
    if (!/^\.{1,2}\/.+\.js$/.test(specifier) || !from.includes('/node_modules/drizzle-orm/')) {
      return nextResolve(specifier, context);
    }
    return { url: new URL(specifier, from).href, format: 'module', shortCircuit: true };
  },
});
