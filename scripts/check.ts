// `npm run check`: everything that can be checked without running the product.
import { exec } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Step = [name: string, command: string];

const first: Step[] = [
  ['route types', 'next typegen'],
  ['Playwright kit', 'npm run build -w packages/playwright-kit'],
];

/** Two steps run at a time. Those that use two cores come last, so that they end together. */
const steps: Step[] = [
  ['import rules', 'node scripts/lint/check-imports.ts'],
  ['dead code', 'knip'],
  ['lockfile', 'node scripts/complete-lockfile.ts --check'],
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint'],
  // With several threads, each would check shared types again.
  ['types', 'tsc -p tsconfig.check.json --singleThreaded'],
];

const failed: string[] = [];
// They run first, because lint and the type check read their output.
for (const step of first) await runStep(step);
await Promise.all([runSteps(), runSteps()]);

if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runSteps(): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) await runStep(step);
}

async function runStep([name, command]: Step): Promise<void> {
  const start = performance.now();
  const output = await findFault(command);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${output === null ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (output === null) return;
  failed.push(name);
  console.log(output);
}

/** The output of a command if it failed; null if it succeeded. */
async function findFault(command: string): Promise<string | null> {
  try {
    await promisify(exec)(command, {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}
