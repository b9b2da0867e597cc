import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasTitles, listTests } from './testing/listed-tests.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where documents name tests: "- `file`: group › test" and "`file` › "group › test"". */
const named = [
  ...readFileSync(`${root}docs/security.md`, 'utf8').matchAll(
    /^- `([^`]+\.(?:test|spec)\.ts)`: (.+)$/gm,
  ),
  ...readFileSync(`${root}docs/asvs.md`, 'utf8').matchAll(/`([^`]+)` › "([^"]+)"/g),
].map(([, file = '', path = '']) => ({ file, titles: path.split(' › ') }));

test('every test that docs/security.md and docs/asvs.md name exists', async () => {
  const listed = await listTests([...new Set(named.map(({ file }) => file))]);
  const byFile = Map.groupBy(listed, ({ file }) => file);
  const missing = named.filter(
    ({ file, titles }) => !byFile.get(file)?.some((one) => hasTitles(one, titles)),
  );
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(400);
}, 180_000);

test('a test is named by its titles, of which outer ones may be left out', () => {
  const listed = { file: 'a.test.ts', name: 'a key > with no scopes > is refused' };
  for (const titles of [['a key'], ['is refused'], ['with no scopes', 'is refused']]) {
    expect(hasTitles(listed, titles), titles.join()).toBe(true);
  }
  for (const titles of [['key'], ['a key', 'is refused'], ['no scopes'], ['is refused', 'a key']]) {
    expect(hasTitles(listed, titles), titles.join()).toBe(false);
  }
});
