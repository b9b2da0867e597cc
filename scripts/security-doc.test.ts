import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasTitle } from './testing/test-titles.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [paper = '', forOperators = ''] = readFileSync(`${root}docs/security.md`, 'utf8').split(
  /^(?=## What an operator must do$)/m,
);

/** The lines that name a test: "- `file`: outer title › title". */
const named = [...paper.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', path = '']) => ({
  file,
  titles: path.split(' › '),
}));

test('every promise in docs/security.md names a test', () => {
  const promises = paper.split(/^### /m).slice(1);
  expect(promises.length).toBeGreaterThanOrEqual(20);
  for (const promise of promises) expect(promise).toMatch(/^- `[^`]+`: ./m);
  const lines = paper.split('\n').filter((line) => line.startsWith('- '));
  expect(named).toHaveLength(lines.length);
});

test.each(named)('$file has $titles', ({ file, titles }) => {
  expect(file).toMatch(/\.(test|spec)\.ts$/);
  expect(existsSync(root + file), file).toBe(true);
  const source = readFileSync(root + file, 'utf8');
  for (const title of titles) {
    expect(hasTitle(source, title), title).toBe(true);
  }
});

test('every setting that operators are told of stands in README.md', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const settings = new Set(forOperators.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
  settings.delete('NAME_FILE');
  expect(settings.size).toBeGreaterThan(15);
  for (const setting of settings) expect(readme).toContain(`\`${setting}\``);
});

test('every file of the project that SECURITY.md and docs/security.md link to is there', () => {
  for (const page of ['SECURITY.md', 'docs/security.md', 'docs/asvs.md']) {
    const links = readFileSync(root + page, 'utf8').matchAll(/\]\((?!https:)([^)#]+)/g);
    for (const [, link = ''] of links) {
      expect(existsSync(fileURLToPath(new URL(link, `file://${root}${page}`))), link).toBe(true);
    }
  }
});

test('a title is found as it stands, or filled in with what its file holds, and not otherwise', () => {
  const source = `
    describe('a key', () => {
      test.each([['no scopes', 1], ["it's late", 2]])('with %s is refused', async () => {});
      for (const way of ['/a']) test(\`\${way} is closed\`, () => {});
      test(
        'stands on its own line', () => {});
    });`;
  for (const title of [
    'a key',
    'with no scopes is refused',
    "with it's late is refused",
    '/a is closed',
    'stands on its own line',
  ]) {
    expect(hasTitle(source, title), title).toBe(true);
  }
  for (const title of ['a', 'with scopes to spare is refused', '/b is closed', 'no scopes']) {
    expect(hasTitle(source, title), title).toBe(false);
  }
});
