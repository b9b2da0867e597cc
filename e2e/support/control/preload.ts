import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` by the browser suite: the service whole, and what its tests may do
// to it besides (`commands.ts`). The product itself knows nothing of it.
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
