import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findNamedTests } from '../testing/named-tests.ts';
import { anchorOf } from './anchors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}docs/security/`;
const chapters = globSync('*.md', { cwd: folder }).toSorted();
const withoutPromises = ['README.md', 'asvs.md', 'data.md', 'for-operators.md'];
const withPromises = chapters.filter((chapter) => !withoutPromises.includes(chapter));
const forOperators = readChapter('for-operators.md') + readChapter('data.md');

/** What follows a heading of the second level, with that heading. */
const promises = withPromises.flatMap((chapter) =>
  readChapter(chapter)
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ chapter, heading: text.slice(0, text.indexOf('\n')), text })),
);

test('the chapters and promises are found', () => {
  expect(withPromises.length).toBeGreaterThanOrEqual(8);
  expect(promises.length).toBeGreaterThanOrEqual(50);
});

test('every promise in docs/security says what the risk is, and names its tests', () => {
  for (const { heading, text } of promises) {
    const [said = '', tests = '', ...others] = text.split('\n\n**Tests:**\n\n');
    expect(others, heading).toEqual([]);
    expect(said, heading).toMatch(/\n\n(?:\*\*ASVS \d[\d., ]+\d\.\*\* )?\*\*Risk:\*\* \S/);

    const lines = tests.trimEnd().split('\n');
    const groups = lines.filter((line) => /^- `[^`]+`:(?: .+ ›)?$/.test(line));
    const named = findNamedTests(tests);
    expect(named.length, heading).toBeGreaterThan(0);
    expect(named, `Each line below "${heading}" names a test`).toHaveLength(
      lines.length - groups.length,
    );
    for (const { file } of named) expect(existsSync(root + file), file).toBe(true);
  }
});

test('no test is named outside of a promise and its list', () => {
  const named = withPromises.flatMap((chapter) => findNamedTests(readChapter(chapter)));
  expect(named).toHaveLength(promises.flatMap(({ text }) => findNamedTests(text)).length);
});

describe.each(withPromises)('docs/security/%s', (chapter) => {
  test('begins with a list of its promises, which has their numbers of the ASVS', () => {
    const [beginning = ''] = readChapter(chapter).split(/^## /m);
    const list = promises
      .filter((promise) => promise.chapter === chapter)
      .map(({ heading, text }) => {
        const numbers = /^\*\*(ASVS [^*]+)\.\*\*/m.exec(text)?.[1];
        return `- [${heading}](#${anchorOf(heading)})${numbers ? ` (${numbers})` : ''}`;
      });
    expect(beginning.split('\n').filter((line) => line.startsWith('- '))).toEqual(list);
  });
});

test('docs/security/README.md has a row for every chapter', () => {
  const index = readChapter('README.md');
  for (const chapter of chapters.filter((name) => name !== 'README.md')) {
    expect(index).toMatch(new RegExp(`^\\| \\[[^\\]]+\\]\\(${chapter}\\) \\| .+ \\|$`, 'm'));
  }
});

test('every setting in the section for operators is listed in docs/operations/configuration.md', () => {
  const configuration = readFileSync(`${root}docs/operations/configuration.md`, 'utf8');
  const settings = new Set(forOperators.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
  settings.delete('NAME_FILE');
  expect(settings.size).toBeGreaterThan(15);
  for (const setting of settings) expect(configuration).toContain(`\`${setting}\``);
});

function readChapter(name: string): string {
  return readFileSync(folder + name, 'utf8');
}
