import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'compile-cache-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

/**
 * Starts a process that caches its compiled code in this folder and loads a module; returns its
 * output.
 */
function start(folder: string): string {
  const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { flushCompileCache } from 'node:module';
    const { keepCompiledCode } = await import(${urlOf('keep-compiled-code.ts')});
    keepCompiledCode(${JSON.stringify(folder)});
    await import(${urlOf('../network/networks.ts')});
    flushCompileCache();
    console.log('started');`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  }).trim();
}

test('the compiled code of one start is cached for the next', () => {
  const folder = join(parent, 'compiled');
  expect(start(folder)).toBe('started');
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => entry.isFile())).not.toEqual([]);
});

test('the service starts where compiled code cannot be cached', () => {
  writeFileSync(join(parent, 'file'), '');
  expect(start(join(parent, 'file', 'compiled'))).toBe('started');
});
