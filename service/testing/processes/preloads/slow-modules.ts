import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process: the rest of the service takes longer to load
// than a connection to a server may take, as on a busy machine.
registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('/service/start/start-service.ts')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
    }
    return nextLoad(url, context);
  },
});
