import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = 'packages/playwright-kit';
/** The file that the build writes last. */
const built = `${root}${folder}/dist/cjs/package.json`;

/** Compiles the kit that the browser tests use, unless it was compiled after its last change. */
export function buildKitIfChanged(): void {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync([`${folder}/{src/**/*.ts,*.json}`, 'packages/build.ts'], { cwd: root });
  if (sources.every((file) => statSync(root + file).mtimeMs < builtAt)) return;
  execFileSync('npm', ['run', 'build', '--silent', '--workspace', folder], {
    cwd: root,
    stdio: 'inherit',
  });
}
