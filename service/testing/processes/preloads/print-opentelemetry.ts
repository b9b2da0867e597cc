import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process: it prints each package of OpenTelemetry
// when the process loads a module of it, imported or required.
const printed = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    const [name] = /@opentelemetry\/[^/]+/.exec(url) ?? [];
    if (name !== undefined && !printed.has(name)) {
      printed.add(name);
      process.stdout.write(`loads ${name}\n`);
    }
    return nextLoad(url, context);
  },
});
