import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { compileCacheFolder } from './compile-cache-folder.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let parent: string;
beforeEach(() => {
  parent = temporaryFolder();
});

/**
 * Starts a process that caches its compiled code in this folder; returns the names of Node's own
 * modules that it loaded.
 */
function start(folder: string): string[] {
  const program = join(parent, 'program.ts');
  writeFileSync(program, 'console.log((process as any).moduleLoadList.join());');
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'production', NODE_COMPILE_CACHE: folder };
  const output = execFileSync(process.execPath, [program], { env, encoding: 'utf8' });
  return output.trim().split(',');
}

const typeScriptCompiler = 'NativeModule internal/deps/amaro/dist/index';

test('the compiled code of one start is cached for the next, which does not load a compiler for TypeScript', () => {
  const folder = join(parent, 'compiled');
  expect(start(folder)).toContain(typeScriptCompiler);
  const cached = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(cached.filter((entry) => entry.isFile())).not.toEqual([]);
  const loaded = start(folder);
  expect(loaded).toContain('NativeModule internal/modules/typescript');
  expect(loaded).not.toContain(typeScriptCompiler);
});

test('a process starts where compiled code cannot be cached', () => {
  writeFileSync(join(parent, 'file'), '');
  expect(start(join(parent, 'file', 'compiled'))).toContain(typeScriptCompiler);
});

test.each(['start', 'demo', 'admin'])('npm run %s caches compiled code in this folder', (name) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, folder = ''] = /\bNODE_COMPILE_CACHE=(\S+)/.exec(scripts[name] ?? '') ?? [];
  expect(resolve(root, folder)).toBe(compileCacheFolder);
});
