import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` by the browser suite: the whole service, and the commands that
// only its tests can use (`commands.ts`). The product does not contain it.
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
