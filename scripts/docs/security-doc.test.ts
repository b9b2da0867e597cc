import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [paper = '', forOperators = ''] = readFileSync(`${root}docs/security.md`, 'utf8').split(
  /^(?=## What an operator must do$)/m,
);

/** The lines that name a test: "- `file`: outer title › title". */
const named = [...paper.matchAll(/^- `([^`]+)`: .+$/gm)];

test('every promise in docs/security.md names a test', () => {
  const promises = paper.split(/^### /m).slice(1);
  expect(promises.length).toBeGreaterThanOrEqual(20);
  for (const promise of promises) expect(promise).toMatch(/^- `[^`]+`: ./m);
  const lines = paper.split('\n').filter((line) => line.startsWith('- '));
  expect(named).toHaveLength(lines.length);
  for (const [, file] of named) expect(file).toMatch(/\.(test|spec)\.ts$/);
});

test('every setting in the section for operators is listed in README.md', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const settings = new Set(forOperators.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
  settings.delete('NAME_FILE');
  expect(settings.size).toBeGreaterThan(15);
  for (const setting of settings) expect(readme).toContain(`\`${setting}\``);
});
