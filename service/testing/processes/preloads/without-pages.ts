import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a process of its own: the service whole, but for the built
// dashboard, which a test of the service's data has no use for.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/service/pages/prepare-pages.ts')) return nextLoad(url, context);
    return { format: 'module', shortCircuit: true, source: noPages };
  },
});

const noPages = `
  export async function preparePages() {
    return {
      async handle(_request, response) { response.writeHead(404).end(); },
      async close() {},
    };
  }`;
