import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = '{app,components,docs,e2e,lib,public,scripts,service}/**/*.{css,js,md,ts,tsx}';
// The specification is quoted, and this file has the words.
const exempt = ['docs/specification.md', 'scripts/docs/spelling.test.ts'];
const files = globSync([folders, '*.md'], { cwd: root }).filter((file) => !exempt.includes(file));

/** British spellings, as the beginnings of words. Not "cancelled", which is a word of the API. */
const british = `
  artefact authoris behaviour catalogue centre colour customis defence dialled emphasise favour
  fulfils grey harbour initialis judgement labelled(?!by) licence localis minimis neighbour normalis
  optimise organis prioritis programme randomis realise recognis sanitis serialis signalling spoilt
  standardis summaris synchronis visualis whilst`;
const spelling = new RegExp(`\\w*(${british.trim().split(/\s+/).join('|')})\\w*`, 'gi');

/** A document quotes the names of tests: › "a name". */
const quotedName = /› "[^"]*"/g;

test('prose and names are spelled in American English', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8').replaceAll(quotedName, '');
    return (text.match(spelling) ?? []).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

test('the files are found', () => {
  expect(files.length).toBeGreaterThan(1000);
});
