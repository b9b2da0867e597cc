import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const paper = readFileSync(`${root}docs/security.md`, 'utf8');

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

/** Whether a test or a group of tests in this source has this title. */
function hasTitle(source: string, title: string): boolean {
  return titlesIn(source).some((written) => {
    const filled = new RegExp(`^${patternOf(written)}$`).exec(title);
    return filled?.slice(1).every((part) => source.includes(part)) ?? false;
  });
}

/** The first text of each `test(…)`, `describe(…)` and what follows their `.each(…)`. */
function titlesIn(source: string): string[] {
  const call =
    /(?:\b(?:test|describe)(?:\.describe)?|\))\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"([^"\n]+)"|`([^`]+)`)/g;
  return [...source.matchAll(call)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

function patternOf(title: string): string {
  return title
    .split(/%[sdijo#]|\$\{[^}]+\}|\$\w+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('(.+)');
}
