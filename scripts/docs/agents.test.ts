import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${root}AGENTS.md`, 'utf8');

/** Whole paths in backticks, without placeholders such as `<noun>` or `*`. */
const paths = [
  ...text.matchAll(/`((?:app|components|lib|service|e2e|scripts|docs|tools)\/[^`<*{ ]+)`/g),
].map(([, path = '']) => path);

test.each([...new Set(paths)])('%s, which AGENTS.md names, is there', (path) => {
  expect(existsSync(root + path)).toBe(true);
});

test('the paths that AGENTS.md names are found', () => {
  expect(paths.length).toBeGreaterThan(10);
});
