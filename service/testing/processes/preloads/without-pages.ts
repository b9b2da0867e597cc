import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process: the complete service without the built
// dashboard, which tests of its data do not need.
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
