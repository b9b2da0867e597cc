import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const specifiers = [
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'drizzle-orm/pglite',
  'drizzle-orm/node-postgres',
  './service/clock.ts',
  '#lib/count.ts',
];

/** Where each specifier leads in a new process, and the names that it exports. */
function load(...flags: string[]): unknown {
  const script = `
    const loaded = {};
    for (const specifier of ${JSON.stringify(specifiers)})
      loaded[specifier] = [import.meta.resolve(specifier), Object.keys(await import(specifier))];
    console.log(JSON.stringify(loaded));`;
  const args = [...flags, '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
}

test('imports lead to the same modules, with the same exports', () => {
  const preload = new URL('quick-imports.ts', import.meta.url).href;
  expect(load('--import', preload)).toEqual(load());
});

test('an import that leads nowhere fails as usual', () => {
  const preload = new URL('quick-imports.ts', import.meta.url).href;
  const fail = (...flags: string[]) => {
    try {
      const args = [...flags, '--input-type=module', '--eval', `import 'drizzle-orm/nowhere'`];
      execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return /ERR_\w+/.exec((error as { stderr: string }).stderr)?.[0];
    }
    throw new Error('it did not fail');
  };
  expect(fail('--import', preload)).toBe(fail());
});
