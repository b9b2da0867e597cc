import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` by packages/playwright-kit, with `--import`: the whole service, and
// the commands that only tests can use (`commands.ts`), over the channel between the two processes.
// Nothing imports this folder, so a service that is started in any other way has no such commands.
const controlled = new URL('controlled-boot.ts', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/service/boot/boot-context.ts')) return nextLoad(url, context);
    const source = `
      import { bootContext as boot } from '${url}?product';
      import { bootControlled } from '${controlled}';
      export const bootContext = (options) => bootControlled(boot, options);`;
    return { format: 'module', shortCircuit: true, source };
  },
});
