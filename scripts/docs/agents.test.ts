import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = ['AGENTS.md', 'docs/architecture.md']
  .map((path) => readFileSync(root + path, 'utf8'))
  .join('\n');

/** Complete paths in backticks, without placeholders such as `<noun>` or `*`. */
const paths = [
  ...text.matchAll(/`((?:app|components|lib|service|e2e|scripts|docs|tools)\/[^`<*{ ]+)`/g),
].map(([, path = '']) => path);

test.each([...new Set(paths)])(
  '%s, which AGENTS.md or docs/architecture.md names, exists',
  (path) => {
    expect(existsSync(root + path)).toBe(true);
  },
);

test('the paths in the two documents are found', () => {
  expect(paths.length).toBeGreaterThan(10);
});

test('AGENTS.md has less than 80 lines, so that people read all of it', () => {
  expect(readFileSync(`${root}AGENTS.md`, 'utf8').split('\n').length).toBeLessThan(80);
});
