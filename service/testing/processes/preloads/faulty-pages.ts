import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process: pages with uncaught errors. `/throw`
// throws in a later turn, `/reject` rejects a promise that nobody awaits, and `/slow` ends its
// response once the process is stopping. Any other path rejects a promise outside of any page.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/service/pages/prepare-pages.ts')) return nextLoad(url, context);
    return { format: 'module', shortCircuit: true, source: faultyPages };
  },
});

const faultyPages = `
  import { whileRendering } from '../boot/end-on-uncaught-errors.ts';
  let rejectOutside;
  new Promise((resolve) => { rejectOutside = resolve; }).then(() => { throw new Error('outside'); });
  export async function preparePages({ httpServer }) {
    return {
      respond: (request, response) => whileRendering(() => handle(request, response)),
      async close() {},
    };
    async function handle({ url }, response) {
      if (url === '/throw') setImmediate(() => { throw new Error('thrown later'); });
      else if (url === '/reject') void Promise.reject(new Error('rejected'));
      else if (url === '/slow') {
        response.flushHeaders();
        while (httpServer.listening) await new Promise((resolve) => setTimeout(resolve, 5));
        response.end('slow');
        return;
      }
      else rejectOutside();
      response.end('answered');
    }
  }`;
