import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', 'docs/**/*.md', 'e2e/README.md'], { cwd: root });

test.each(documents)('every file of the project that %s links to is there', (document) => {
  const links = readFileSync(root + document, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g);
  const missing = [...links]
    .map(([, link = '']) => link)
    .filter((link) => !existsSync(fileURLToPath(new URL(link, `file://${root}${document}`))));
  expect(missing).toEqual([]);
});

test.each(documents)('every test file that %s names is there', (document) => {
  const names = readFileSync(root + document, 'utf8').matchAll(
    /`((?:components|e2e|lib|scripts|service)\/[^`\s]+\.(?:test|spec)\.ts)`/g,
  );
  const missing = [...names]
    .map(([, name = '']) => name)
    .filter((name) => globSync(name, { cwd: root }).length === 0);
  expect(missing).toEqual([]);
});

test('the documents are found', () => {
  expect(documents.length).toBeGreaterThan(15);
});
