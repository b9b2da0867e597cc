import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { anchorsOf, withoutCode } from './anchors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(
  ['*.md', '{app,components,docs,e2e,lib,scripts,service,tools}/**/*.md'],
  {
    cwd: root,
    exclude: ['**/node_modules'],
  },
);

test.each(documents)('every file that %s links to, or shows as a picture, is there', (document) => {
  const missing = linksOf(document).filter(({ file }) => !existsSync(file));
  expect(missing).toEqual([]);
});

test.each(documents)('every heading that %s links to is there', (document) => {
  const missing = linksOf(document).filter(
    ({ file, anchor }) =>
      anchor !== '' && existsSync(file) && !anchorsOf(readFileSync(file, 'utf8')).has(anchor),
  );
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

test('the documents, and their links to files and headings, are found', () => {
  expect(documents.length).toBeGreaterThan(25);
  const links = documents.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ anchor }) => anchor !== '').length).toBeGreaterThan(20);
});

/** The links and pictures of a document that lead to files of the project. */
function linksOf(document: string): { link: string; file: string; anchor: string }[] {
  const text = withoutCode(readFileSync(root + document, 'utf8'));
  const targets = text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)"\s]+)/g);
  return [...targets].map(([, link = '']) => {
    const url = new URL(link, `file://${root}${document}`);
    const anchor = decodeURIComponent(url.hash.slice(1));
    return { link, file: fileURLToPath(url), anchor };
  });
}
