// `npm run build -w packages/playwright-kit`, also before `npm pack`: compiles src/ to ESM and to CommonJS.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

rmSync(`${folder}dist`, { recursive: true, force: true });
compile('esm');
compile('cjs', '--module', 'commonjs', '--verbatimModuleSyntax', 'false');
// The folder's own type, which differs from that of the package.
writeFileSync(`${folder}dist/cjs/package.json`, '{ "type": "commonjs" }\n');

function compile(name: string, ...options: string[]): void {
  const args = ['-p', folder, '--outDir', `${folder}dist/${name}`, ...options];
  // npm puts the folder of the compiler into PATH.
  execFileSync('tsc', args, { stdio: 'inherit' });
}
