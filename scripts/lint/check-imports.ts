import { fileURLToPath } from 'node:url';
import { findViolations } from './import-rules.ts';

const { violations, moduleCount } = await findViolations(
  fileURLToPath(new URL('../..', import.meta.url)),
);

for (const { rule, from, to } of violations) console.error(`${from} → ${to}\n    ${rule}`);
console.log(`${moduleCount} modules read, ${violations.length} import rule violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
