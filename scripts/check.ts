// `npm run check`: everything that can be judged without running the product.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const steps: [name: string, command: string][] = [
  ['lockfile', 'node scripts/complete-lockfile.ts --check'],
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint'],
  ['import law', 'node scripts/check-imports.ts'],
  ['dead code', 'knip'],
  ['OpenAPI', 'node scripts/lint-openapi.ts'],
  ['route types', 'next typegen'],
  ['types', 'tsc -p tsconfig.check.json'],
];

const failed: string[] = [];
for (const [name, command] of steps) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    shell: true,
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status === 0) continue;
  failed.push(name);
  console.log(`${stdout}${stderr}`);
}

if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
