// `npm run build -w packages/client`, also before `npm pack`: compiles the src/ of a package to ESM
// and to CommonJS. npm runs it in the folder of the package.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
compile('esm');
compile('cjs', '--module', 'commonjs', '--verbatimModuleSyntax', 'false');
// The folder's own type, which differs from that of the package.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');

function compile(name: string, ...options: string[]): void {
  // npm puts the folder of the compiler into PATH.
  execFileSync('tsc', ['-p', '.', '--outDir', `dist/${name}`, ...options], { stdio: 'inherit' });
}
