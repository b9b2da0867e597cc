import { fileURLToPath } from 'node:url';
import { findBreaches } from './import-law.ts';

const { breaches, moduleCount } = await findBreaches(
  fileURLToPath(new URL('../..', import.meta.url)),
);

for (const { law, from, to } of breaches) console.error(`${from} → ${to}\n    ${law}`);
console.log(`${moduleCount} modules read, ${breaches.length} breaches of the import law`);
process.exitCode = breaches.length === 0 ? 0 : 1;
